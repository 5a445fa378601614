// The calls about a tenant's members and invitations. A credential with `members:write` can read; every change needs
// the token of a person who has just passed a second factor.
import type { Http } from './http.ts';
import type { components } from './openapi-types.ts';
import { createPage } from './page.ts';
import type { CallOptions } from './send.ts';

type Schemas = components['schemas'];
export type Role = Schemas['ChangeMemberRequest']['role'];
export type PageQuery = { readonly limit?: number; readonly cursor?: string };

/** `webhooks`: whether endpoints that they made are disabled, as without it, or kept with new secrets, which are in the answer. */
export type Removal = { readonly confirm?: boolean; readonly webhooks?: 'disable' | 'keep' };

const MEMBER = '/{tenantId}/v1/members/{userId}';
const INVITATION = '/{tenantId}/v1/invitations/{invitationId}';

export function createMemberCalls(http: Http) {
  return {
    listMembers: (query: PageQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get('/{tenantId}/v1/members', { query: page }, call)),
    changeMember: (userId: string, role: Role, call?: CallOptions) =>
      http.patch(MEMBER, { path: { userId }, body: { role } }, call),
    /** Throws 409 with `wouldEnd` if something would end with the membership and `confirm` is not set. */
    removeMember: (userId: string, { confirm = false, webhooks, ...call }: CallOptions & Removal = {}) => {
      const query = { ...(confirm && { confirm: 'true' as const }), ...(webhooks && { webhooks }) };
      return http.delete(MEMBER, { path: { userId }, query }, call);
    },
    listInvitations: (query: PageQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get('/{tenantId}/v1/invitations', { query: page }, call)),
    inviteMember: (email: string, role: Role, call?: CallOptions) =>
      http.post('/{tenantId}/v1/invitations', { body: { email, role } }, call),
    revokeInvitation: (invitationId: string, call?: CallOptions) =>
      http.delete(INVITATION, { path: { invitationId } }, call),
    resendInvitation: (invitationId: string, call?: CallOptions) =>
      http.post(`${INVITATION}/resend`, { path: { invitationId } }, call),
  };
}
