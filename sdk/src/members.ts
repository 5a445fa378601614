// The calls about a tenant's members and invitations. A credential with `members:write` can read; every change needs
// the token of a person who has just passed a second factor.
import type { Call } from './call.ts';
import type { Http } from './http.ts';
import type {
  ChangeMemberRequest,
  InvitationListResponse,
  InvitationResponse,
  MemberListResponse,
  MemberResponse,
  RemovedMemberResponse,
} from './openapi-names.ts';
import { createPage, type Page } from './page.ts';
import type { CallOptions } from './send.ts';

/** What a member may do in the company. */
export type Role = ChangeMemberRequest['role'];
/** Which page of a list, and how many items it has. */
export type PageQuery = { readonly limit?: number; readonly cursor?: string };

/** `webhooks`: whether endpoints that they made are disabled, as without it, or kept with new secrets, which are in the answer. */
export type Removal = { readonly confirm?: boolean; readonly webhooks?: 'disable' | 'keep' };

const MEMBER = '/{tenantId}/v1/members/{userId}';
const INVITATION = '/{tenantId}/v1/invitations/{invitationId}';

export function createMemberCalls(http: Http) {
  return {
    listMembers: (query: PageQuery = {}, call?: CallOptions): Page<MemberListResponse> =>
      createPage(query, (page) => http.get('/{tenantId}/v1/members', { query: page }, call)),
    changeMember: (userId: string, role: Role, call?: CallOptions): Call<MemberResponse> =>
      http.patch(MEMBER, { path: { userId }, body: { role } }, call),
    /** Throws 409 with `wouldEnd` if something would end with the membership and `confirm` is not set. */
    removeMember: (
      userId: string,
      { confirm = false, webhooks, ...call }: CallOptions & Removal = {},
    ): Call<RemovedMemberResponse> => {
      const query = { ...(confirm && { confirm: 'true' as const }), ...(webhooks && { webhooks }) };
      return http.delete(MEMBER, { path: { userId }, query }, call);
    },
    listInvitations: (query: PageQuery = {}, call?: CallOptions): Page<InvitationListResponse> =>
      createPage(query, (page) => http.get('/{tenantId}/v1/invitations', { query: page }, call)),
    inviteMember: (email: string, role: Role, call?: CallOptions): Call<InvitationResponse> =>
      http.post('/{tenantId}/v1/invitations', { body: { email, role } }, call),
    revokeInvitation: (invitationId: string, call?: CallOptions): Call<InvitationResponse> =>
      http.delete(INVITATION, { path: { invitationId } }, call),
    resendInvitation: (invitationId: string, call?: CallOptions): Call<InvitationResponse> =>
      http.post(`${INVITATION}/resend`, { path: { invitationId } }, call),
  };
}
