// Credentials, members, invitations, settings, webhooks, the audit log and events: who is refused, and how; and what the settings say. The kit's
// credential may lack a scope: then the answer must say so. Nothing here changes anything. None of these is in the interface (decisions 5, 6 and 27).
import { randomUUID } from 'node:crypto';
import { dig, equal, fits, same } from '../expect.ts';
import { hasScope, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import type { Api, Call } from '../session.ts';
import { count, exactly, filledText, flag, instant, list, object, orNull, text } from '../shape.ts';
import { get, unmetered } from './reading-calls.ts';

const READS = [
  ...['credentials', 'members', 'invitations', 'audit', 'events', 'events/evt_94d049bb133111eb', 'webhook-endpoints'],
  ...['settings', 'settings/retention-preview'],
];

/** Every change, about things that nobody has. */
const changes = (): Call[] => {
  const id = randomUUID();
  return [
    { method: 'POST', path: 'credentials', body: { name: 'Conformance', scopes: ['reports:read'] } },
    { method: 'PATCH', path: `credentials/${id}`, body: { name: 'Conformance' } },
    { method: 'POST', path: `credentials/${id}/secrets`, body: {} },
    { method: 'DELETE', path: `credentials/${id}/secrets/${id}` },
    { method: 'PATCH', path: 'settings', body: { retentionDays: 90 } },
    { method: 'PATCH', path: 'settings?confirm=true', body: { retentionDays: 90 } },
    { method: 'PATCH', path: `members/${id}`, body: { role: 'analyst' } },
    { method: 'DELETE', path: `members/${id}` },
    { method: 'DELETE', path: `members/${id}?confirm=true` },
    { method: 'POST', path: 'invitations', body: { email: 'nobody@example.com', role: 'analyst' } },
    { method: 'DELETE', path: `invitations/${id}` },
    { method: 'POST', path: `invitations/${id}/resend` },
  ];
};

/** Credentials may make these changes, if they have the scope. */
const webhookChanges = (): Call[] => {
  const id = randomUUID();
  const body = { url: 'https://hooks.example.com/', test: true };
  return [
    { method: 'POST', path: 'webhook-endpoints', body },
    { method: 'PATCH', path: `webhook-endpoints/${id}`, body: { description: 'Conformance' } },
    { method: 'DELETE', path: `webhook-endpoints/${id}` },
    { method: 'POST', path: `webhook-endpoints/${id}/rotate-secret` },
    { method: 'POST', path: `webhook-endpoints/${id}/test` },
    { method: 'POST', path: `webhook-endpoints/${id}/replay`, body: { since: '2026-01-01' } },
    { path: `webhook-endpoints/${id}/deliveries` },
    { path: `webhook-endpoints/deliveries/${id}` },
    { method: 'POST', path: `webhook-endpoints/deliveries/${id}/resend` },
  ];
};

const calls = (): Call[] => [...READS.map((path) => ({ path })), ...changes(), ...webhookChanges()];
const within = (tenantId: string, call: Call): Call => ({ ...call, path: `/${tenantId}/v1/${call.path}` });

async function errorsOf(api: Api, tenantId: string): Promise<unknown[]> {
  const bodies: unknown[] = [];
  for (const call of calls()) {
    const { requestId: _, ...body } = refused(await api.send(within(tenantId, call)), 403, 'forbidden');
    bodies.push(body);
  }
  return bodies;
}

const agreed = object({
  ...{ smsCountries: list(filledText), smsDailyMessages: count, smsDailyCredits: count, smsMinuteMessages: count },
});
const settings = object({
  ...{ name: filledText, displayName: orNull(text), retentionDays: count, otpHost: orNull(filledText), agreed },
  ...{ smsCountries: orNull(list(filledText)), smsDailyMessages: orNull(count), smsDailyCredits: orNull(count) },
  ...{ smsMinuteMessages: orNull(count), lowBalanceCredits: orNull(count), requireSecondFactor: flag },
});

export const managementRows: readonly Row[] = [
  {
    id: 'management/401',
    title: 'credentials, members, invitations, settings, webhooks, audit log, events: 401 without a token',
    pins: 'Decision 5',
    run: async ({ api }) => {
      for (const call of calls()) {
        refused(await api.send({ ...within(api.tenantId, call), authorization: null }), 401, 'unauthorized');
      }
    },
  },
  {
    id: 'management/403-unknown-tenant',
    title: 'the same in an unknown tenant and in one that is no id: 403, with one body',
    pins: 'Decision 6',
    run: async ({ api }) => {
      const unknown = await errorsOf(api, randomUUID());
      same('the bodies', await errorsOf(api, 'not-a-uuid'), unknown);
    },
  },
  {
    id: 'management/settings',
    title: 'the settings of the company, beside the limits that were agreed',
    pins: 'Our decision 232',
    run: async ({ api }) => {
      const reply = await get(api, 'settings');
      if (hasScope(reply, 'settings:write')) fits('data', unmetered(reply), settings);
    },
  },
  {
    id: 'management/retention-preview',
    title: 'the current retention would erase nothing; a shorter one says how many reports, from when to when',
    pins: 'Our decision 232',
    run: async ({ api }) => {
      const current = await get(api, 'settings/retention-preview');
      if (!hasScope(current, 'settings:write')) return;
      const retentionDays = dig(unmetered(await get(api, 'settings')), 'retentionDays');
      const none = { reports: 0, oldestSettledAt: null, newestSettledAt: null };
      same('of the current one', unmetered(current), { retentionDays, currentDays: retentionDays, ...none });
      const shortest = unmetered(await get(api, 'settings/retention-preview?retentionDays=0'));
      const range = { oldestSettledAt: orNull(instant), newestSettledAt: orNull(instant) };
      fits('of none', shortest, object({ retentionDays: exactly(0), reports: count, ...range }));
      equal('currentDays', shortest['currentDays'], retentionDays);
    },
  },
  {
    id: 'management/403-no-person',
    title: 'every change with API credentials: 403, since they cannot prove a second factor',
    pins: 'Our decision 130',
    run: async ({ api }) => {
      for (const call of changes()) refused(await api.send(within(api.tenantId, call)), 403, 'forbidden');
    },
  },
];
