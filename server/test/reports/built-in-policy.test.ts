// The built-in policy over HTTP: what a tenant has chosen decides, counts come from earlier live requests of all tenants,
// and reasons stand in the audit log and nowhere else.
import type { GenerateRequest } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { type LiveServer, liveBody } from '../support/live.ts';
import { useLiveServer } from '../support/one-node.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});

type Policy = 'provider' | 'house' | 'stricter';

async function tenantWith(policy: Policy, points: { challenge?: number; block?: number } = {}): Promise<OwnTenant> {
  const tenant = await addTenant(server, 1_000_000);
  await server.query(
    'update tenants set screening_policy = $2, challenge_points = $3, block_points = $4 where id = $1',
    [tenant.tenantId, policy, points.challenge ?? 20, points.block ?? 80],
  );
  return tenant;
}

let next = 0;
/** Nobody who was seen before: a person, a network and a number of their own. */
function stranger(): Partial<GenerateRequest> {
  next += 1;
  return {
    lastName: `Stranger${String.fromCharCode(65 + (next % 26), 65 + Math.floor(next / 26))}`,
    ipAddress: `2001:db8:${next.toString(16)}::1`,
    mobileNumber: `+447700900${String(next).padStart(3, '0')}`,
    email: 'allow@example.com',
  };
}

async function generate(tenant: OwnTenant, changes: Partial<GenerateRequest>, sessionId = server.mintSession()) {
  const { data } = await tenant.trefoil.generate(liveBody(sessionId, changes));
  const [row] = await server.query<{ details: { reasons?: string[] } }>(
    'select details from audit_log where tenant_id = $1 and subject_id = $2',
    [tenant.tenantId, data.creditReportId],
  );
  return { data, reasons: row?.details.reasons ?? [] };
}

const timesAsked = async (creditReportId: string) => (await server.enquiries('screening')).get(creditReportId) ?? 0;

test('provider: the provider is asked, and the points are not counted', async () => {
  const { data, reasons } = await generate(await tenantWith('provider'), stranger());
  expect(data.status).toBe('complete');
  expect(reasons).toEqual(['email-says-allow']);
  expect(await timesAsked(data.creditReportId)).toBe(1);
});

test('house: a device nobody knows is challenged, the provider is not asked, and the client hears no reason', async () => {
  const { data, reasons } = await generate(await tenantWith('house'), stranger());
  expect(data.status).toBe('authentication-required');
  expect(reasons).toContain('device-new');
  expect(reasons[0]).toMatch(/^house-points-\d+$/);
  expect(JSON.stringify(data)).not.toMatch(/house|points|device-new/);
  expect(await timesAsked(data.creditReportId)).toBe(0);
});

test('stricter: the provider blocks what the house would let through, and the other way round', async () => {
  const lenient = await tenantWith('stricter', { challenge: 900, block: 1_000 });
  const blocked = await generate(lenient, { ...stranger(), email: 'block@example.com' });
  expect(blocked.data.status).toBe('blocked');
  expect(blocked.reasons).toContain('email-says-block');
  const severe = await tenantWith('stricter', { challenge: 1, block: 2 });
  const refused = await generate(severe, stranger());
  expect(refused.data.status).toBe('blocked');
  expect(refused.reasons).toEqual(expect.arrayContaining(['email-says-allow', 'device-new']));
});

test('what one tenant has seen counts for another: a network with 20 requests in the hour', async () => {
  const [first, second] = [await tenantWith('provider'), await tenantWith('house', { challenge: 900, block: 1_000 })];
  const { ipAddress = '' } = stranger();
  for (let count = 0; count < 19; count += 1) await generate(first, { ...stranger(), ipAddress });
  expect((await generate(second, { ...stranger(), ipAddress })).reasons).not.toContain('network-hour');
  expect((await generate(second, { ...stranger(), ipAddress })).reasons).toContain('network-hour');
});

test('a device that was known to its person yesterday is let in; with another person it is new', async () => {
  const tenant = await tenantWith('house');
  const person = stranger();
  const network = { ipAddress: person.ipAddress ?? '', userAgentFamily: 'Chromium' };
  const session = () => server.mintSession(new Date(), { deviceDigest: 'd'.repeat(32), network });
  expect((await generate(tenant, person, session())).data.status).toBe('authentication-required');
  await server.query(`update sightings set seen_at = seen_at - interval '2 days'`);
  const again = await generate(tenant, person, session());
  expect(again).toMatchObject({ data: { status: 'complete' }, reasons: ['house-points-0'] });
  const { ipAddress } = person;
  const other = await generate(tenant, { ...stranger(), ...(ipAddress && { ipAddress }) }, session());
  expect(other.data.status).toBe('authentication-required');
  expect(other.reasons).toEqual(['house-points-30', 'device-new', 'device-two-people']);
});

test('a mobile number of three other people is blocked', async () => {
  const tenant = await tenantWith('house', { challenge: 900, block: 1_000 });
  const { mobileNumber = '' } = stranger();
  for (let count = 0; count < 3; count += 1) {
    expect((await generate(tenant, { ...stranger(), mobileNumber })).data.status).toBe('complete');
  }
  const fourth = await generate(tenant, { ...stranger(), mobileNumber });
  expect(fourth.data.status).toBe('blocked');
  expect(fourth.reasons).toContain('mobile-many-people');
});

test('a refused request is not counted, and nothing personal is kept', async () => {
  const poor = await addTenant(server, 0);
  const before = await server.query('select from sightings');
  await expect(poor.trefoil.generate(liveBody(server.mintSession(), stranger()))).rejects.toMatchObject({
    status: 402,
  });
  expect(await server.query('select from sightings')).toHaveLength(before.length);
  const [widest] = await server.query<{ most: number }>(
    'select max(octet_length(subject_hash) + octet_length(identity_hash)) as most from sightings',
  );
  expect(widest?.most).toBe(32);
});
