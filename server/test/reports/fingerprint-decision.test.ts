// From the collection to the decision: what the script says of a browser reaches the built-in policy under its right name,
// and a session the server did not make is an unknown device.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';

const PLAIN = { timeZone: 'Europe/London' };

let server: LiveServer;
let tenant: OwnTenant;
let people = 0;
beforeAll(async () => {
  server = await startLiveServer();
  tenant = await addTenant(server, 1_000_000);
  // Every rule is heard and none of them decides.
  const text = `update tenants set screening_policy = 'house', challenge_points = 900, block_points = 1000 where id = $1`;
  await server.query(text, [tenant.tenantId]);
});
afterAll(() => server.close());

async function collect(body: object): Promise<string> {
  const response = await fetch(`${server.baseUrl}/v1/fingerprints/collections`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    // A device of its own each time: several people on one are a reason too.
    body: JSON.stringify({ deviceDigest: randomBytes(16).toString('hex'), ...body }),
  });
  return ((await response.json()) as { sessionId: string }).sessionId;
}

/** The reasons for a person who was never seen before. */
async function reasonsFor(sessionId: string): Promise<string[]> {
  people += 1;
  const lastName = `Seen${String.fromCharCode(64 + people)}`;
  const { data } = await tenant.trefoil.generate(liveBody(sessionId, { lastName }));
  expect(data.status).toBe('complete');
  const [row] = await server.query<{ details: { reasons?: string[] } }>(
    'select details from audit_log where tenant_id = $1 and subject_id = $2',
    [tenant.tenantId, data.creditReportId],
  );
  return row?.details.reasons ?? [];
}

const NAMES = ['session-unknown', 'session-degraded', 'automated-browser', 'time-zone-abroad'];
const rows: readonly (readonly [what: string, changes: object, expected: readonly string[]])[] = [
  ['an ordinary browser', {}, []],
  ['a driven browser', { automation: ['webdriver'] }, ['automated-browser']],
  ['a browser that only looks odd', { automation: ['no-window'] }, []],
  ['a browser abroad', { timeZone: 'Asia/Tokyo' }, ['time-zone-abroad']],
  ['traits that came too late', { degraded: true }, ['session-degraded']],
];
for (const [what, changes, expected] of rows) {
  test(`${what}: ${expected.join(', ') || 'no reason of its own'}`, async () => {
    const reasons = await reasonsFor(await collect({ ...PLAIN, ...changes }));
    expect(reasons.filter((reason) => NAMES.includes(reason))).toEqual(expected);
  });
}

test('the id that the script makes up where nothing could be collected: session-unknown', async () => {
  const reasons = await reasonsFor(`unverified.${'0'.repeat(32)}`);
  expect(reasons).toContain('session-unknown');
});
