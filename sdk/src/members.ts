// The calls about a tenant's members and invitations. A credential with `members:write` can read; every change needs
// the token of a person who has just passed a second factor.
import type { Client } from 'openapi-fetch';
import type { components, paths } from './openapi-types.ts';

type Schemas = components['schemas'];
export type Role = Schemas['ChangeMemberRequest']['role'];
export type PageQuery = { readonly limit?: number; readonly cursor?: string };

type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;
type BodyOf = <T>(call: Call<T>) => Promise<T>;

export function createMemberCalls(http: Client<paths>, tenantId: string, bodyOf: BodyOf) {
  const inTenant = { path: { tenantId } };
  const ofMember = (userId: string) => ({ path: { tenantId, userId } });
  const ofInvitation = (invitationId: string) => ({ path: { tenantId, invitationId } });
  return {
    listMembers: (query: PageQuery = {}) =>
      bodyOf(http.GET('/{tenantId}/v1/members', { params: { ...inTenant, query } })),
    changeMember: (userId: string, role: Role) =>
      bodyOf(http.PATCH('/{tenantId}/v1/members/{userId}', { params: ofMember(userId), body: { role } })),
    /** Throws 409 with `wouldEnd` if something would end with the membership and `confirm` is not set. */
    removeMember: (userId: string, { confirm = false }: { readonly confirm?: boolean } = {}) =>
      bodyOf(
        http.DELETE('/{tenantId}/v1/members/{userId}', {
          params: { ...ofMember(userId), ...(confirm && { query: { confirm: 'true' as const } }) },
        }),
      ),
    listInvitations: (query: PageQuery = {}) =>
      bodyOf(http.GET('/{tenantId}/v1/invitations', { params: { ...inTenant, query } })),
    inviteMember: (email: string, role: Role) =>
      bodyOf(http.POST('/{tenantId}/v1/invitations', { params: inTenant, body: { email, role } })),
    revokeInvitation: (invitationId: string) =>
      bodyOf(http.DELETE('/{tenantId}/v1/invitations/{invitationId}', { params: ofInvitation(invitationId) })),
    resendInvitation: (invitationId: string) =>
      bodyOf(http.POST('/{tenantId}/v1/invitations/{invitationId}/resend', { params: ofInvitation(invitationId) })),
  };
}
