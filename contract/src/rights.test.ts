// What each operation asks of its caller, written down a second time on purpose: the walls of the server, the reference and their tests
// all follow the operations table, so none of them would notice a scope that is lost there.
import { expect, test } from 'vitest';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import type { Scope } from './scopes.ts';

const BY_SCOPE: Readonly<Partial<Record<Scope | 'any token', string>>> = {
  'reports:write': 'generateCreditReport quoteCreditReport submitOtp resendSms advanceTestClock resetTestWallet',
  'reports:read':
    'listCreditReports countCreditReports getCreditReport getTimeline getDocument getEvidence getBureaus listActivity listTestInbox',
  'wallet:read': 'getWallet listWalletEntries listWalletMonths getStatement getPrices getLimits getUsage',
  'credentials:write':
    'listCredentials createCredential getCredential changeCredential addCredentialSecret endCredentialSecret replaceCredentialKeys',
  'webhooks:write':
    'listWebhookEndpoints createWebhookEndpoint getWebhookEndpoint changeWebhookEndpoint deleteWebhookEndpoint rotateWebhookSecret ' +
    'testWebhookEndpoint replayWebhookEvents listWebhookDeliveries getWebhookDelivery resendWebhookDelivery',
  'events:read': 'listEvents getEvent',
  'members:write':
    'listMembers changeMember removeMember listInvitations inviteMember revokeInvitation resendInvitation',
  'audit:read': 'listAudit',
  'settings:write': 'getSettings changeSettings previewRetention',
  'subjects:write': 'findSubject exportSubject exportSubjectDocument eraseSubject',
  'any token': 'getTestCatalogue getProfile listTenants selectTenant',
};

const STEP_UP =
  'createCredential changeCredential addCredentialSecret endCredentialSecret replaceCredentialKeys changeSettings eraseSubject ' +
  'changeMember removeMember inviteMember revokeInvitation resendInvitation';

const LIVE_ONLY =
  'getWallet listWalletEntries listWalletMonths getStatement listAudit listMembers changeMember removeMember listInvitations ' +
  'inviteMember revokeInvitation resendInvitation';

const operations = Object.entries<Operation>(OPERATIONS);
const idsOf = (is: (operation: Operation) => boolean) =>
  operations.flatMap(([id, operation]) => (is(operation) ? [id] : [])).toSorted();
const sorted = (ids: string) => ids.split(' ').toSorted();

test.each(Object.entries(BY_SCOPE))('%s: these operations and no others', (asked, ids) => {
  expect(idsOf(({ scope = 'any token' }) => scope === asked)).toEqual(sorted(ids));
});

test('every operation is in the table', () => {
  expect(Object.values(BY_SCOPE).flatMap(sorted).toSorted()).toEqual(idsOf(() => true));
});

test('a second factor that was just proved, and a credential that is not for test mode alone', () => {
  expect(idsOf(({ needsStepUp }) => needsStepUp === true)).toEqual(sorted(STEP_UP));
  expect(idsOf(({ liveOnly }) => liveOnly !== undefined)).toEqual(sorted(LIVE_ONLY));
});
