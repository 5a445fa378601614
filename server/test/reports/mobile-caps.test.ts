// The caps of a mobile number (docs/decisions/0035-codes-and-caps.md) under fire: one tenant and many, two nodes at once,
// each limit to the unit; and a tenant that has used a number up for itself has not used it up for others.
import { createTrefoil, type Trefoil, TrefoilError } from '@trefoil/sdk';
import { describe, expect, test } from 'vitest';
import { countUses, lockNumbers, updateUses } from '../../src/credit-reports/messages/mobile-store.ts';
import { createKeyedHash } from '../../src/lib/crypto/keyed-hash.ts';
import { createCodeOf } from '../../src/lib/crypto/one-time-code.ts';
import { CLIENT } from '../harness.ts';
import { type LiveServer, liveBody } from '../support/live.ts';
import { hashOfMobile } from '../support/providers.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';
import { type SecondNode, useTwoNodes } from '../support/two-nodes.ts';
import { quietMobile, wrongCode } from '../support/words.ts';

let server: LiveServer;
let secondNode: SecondNode;
useTwoNodes((...nodes) => {
  [server, secondNode] = nodes;
});

const addTenants = (count: number) => Promise.all(Array.from({ length: count }, () => addTenant(server, 1_000_000)));

type Open = { readonly tenant: OwnTenant; readonly creditReportId: string; readonly challengeId: string };

/** Over either node in turn. */
function nodeOf(tenant: OwnTenant, index: number): Trefoil {
  return index % 2 === 0 ? tenant.trefoil : createTrefoil({ ...CLIENT, ...tenant, baseUrl: secondNode.baseUrl });
}

async function challenge(tenant: OwnTenant, to: string, index = 0): Promise<Open | string> {
  const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: to });
  const { data } = await nodeOf(tenant, index).generate(body);
  if (data.status !== 'authentication-required') return data.status;
  return { tenant, creditReportId: data.creditReportId, challengeId: data.challenge.challengeId };
}

const isOpen = (answer: Open | string): answer is Open => typeof answer !== 'string';

async function openChallenges(tenant: OwnTenant, to: string, count: number): Promise<Open[]> {
  const opened: Open[] = [];
  for (let index = 0; index < count; index += 1) {
    const answer = await challenge(tenant, to);
    if (!isOpen(answer)) throw new Error(answer);
    opened.push(answer);
  }
  return opened;
}

function resend({ tenant, creditReportId, challengeId }: Open, index = 0): Promise<string> {
  return nodeOf(tenant, index)
    .resendSms(creditReportId, { challengeId })
    .then(
      () => 'sent',
      (error) => (error instanceof TrefoilError ? error.code : Promise.reject(error)),
    );
}

async function submit({ tenant, creditReportId, challengeId }: Open, code: string, index = 0): Promise<string> {
  return (await nodeOf(tenant, index).submitOtp(creditReportId, { challengeId, code })).data.status;
}

/** The codes of the messages of a challenge. */
async function codesOf({ creditReportId }: Open): Promise<string[]> {
  const sends = await server.query<{ id: string }>('select id from sms_sends where credit_report_id = $1 order by id', [
    creditReportId,
  ]);
  return sends.map(({ id }) => createCodeOf(createKeyedHash(server.config.hashKeys[0].key, 'one-time-code'))(id));
}

async function wrongCodeOf(open: Open): Promise<string> {
  return wrongCode(...(await codesOf(open)));
}

/** Challenges, messages and mistakes of a number: each tenant's, and all tenants' at the end. */
async function usesOf(to: string): Promise<string[]> {
  const found = await server.query<{ line: string }>(
    `select concat_ws(' ', cardinality(challenged_at), cardinality(messaged_at), cardinality(mistaken_at)) as line
       from (select 1 as place, challenged_at, messaged_at, mistaken_at from tenant_mobile_uses where number_hash = $1
             union all select 2, challenged_at, messaged_at, mistaken_at from mobile_uses where number_hash = $1) as uses
      order by place, cardinality(challenged_at) desc`,
    [hashOfMobile(server, to)],
  );
  return found.map(({ line }) => line);
}

const count = (answers: readonly string[], what: string) => answers.filter((answer) => answer === what).length;

describe('over two nodes at once', () => {
  test('30 challenges of one tenant for one number: four are made, the others fail', async () => {
    const [tenant] = await addTenants(1);
    const to = quietMobile();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => challenge(tenant as OwnTenant, to, index)),
    );
    expect(answers.filter(isOpen)).toHaveLength(4);
    expect(answers.filter((answer) => answer === 'failed')).toHaveLength(26);
    expect(await usesOf(to)).toEqual(['4 4 0', '4 4 0']);
  });

  test('six challenges of each of five tenants, for two numbers: ten for each number, four of a tenant at most', async () => {
    const tenants = await addTenants(5);
    const numbers = [quietMobile(), quietMobile()];
    const answers = await Promise.all(
      tenants.flatMap((tenant) =>
        Array.from({ length: 12 }, (_, index) => challenge(tenant, numbers[index % 2] as string, index >> 1)),
      ),
    );
    expect(answers.filter(isOpen)).toHaveLength(20);
    for (const to of numbers) {
      const uses = await usesOf(to);
      expect(uses.at(-1)).toBe('10 10 0');
      const own = uses.slice(0, -1).map((line) => Number(line.split(' ')[0]));
      expect(own.reduce((sum, each) => sum + each, 0)).toBe(10);
      expect(Math.max(...own)).toBeLessThanOrEqual(4);
    }
  });

  test('messages of one tenant: with four challenges open, four of twenty resends go out', async () => {
    const [tenant] = await addTenants(1);
    const to = quietMobile();
    const open = await openChallenges(tenant as OwnTenant, to, 4);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => resend(open[index % 4] as Open, index >> 2)),
    );
    expect([count(answers, 'sent'), count(answers, 'sms-limit-reached')]).toEqual([4, 16]);
    expect(await usesOf(to)).toEqual(['4 8 0', '4 8 0']);
  });

  test('messages of three tenants: with ten challenges open, ten of forty resends go out', async () => {
    const [a, b, c] = (await addTenants(3)) as [OwnTenant, OwnTenant, OwnTenant];
    const to = quietMobile();
    const open = [
      ...(await openChallenges(a, to, 4)),
      ...(await openChallenges(b, to, 4)),
      ...(await openChallenges(c, to, 2)),
    ];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => resend(open[index % 10] as Open, Math.floor(index / 10))),
    );
    expect([count(answers, 'sent'), count(answers, 'sms-limit-reached')]).toEqual([10, 30]);
    expect((await usesOf(to)).at(-1)).toBe('10 20 0');
  });

  test('wrong codes of one tenant: of twelve that its four challenges allow, nine are examined', async () => {
    const [tenant] = await addTenants(1);
    const to = quietMobile();
    const open = await openChallenges(tenant as OwnTenant, to, 4);
    const wrong: string[] = [];
    for (const each of open) wrong.push(await wrongCodeOf(each));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => submit(open[index % 4] as Open, wrong[index % 4] ?? '', index >> 2)),
    );
    // Two retries and a failure for each challenge while mistakes are counted, failures after that.
    expect(count(answers, 'retry')).toBeLessThanOrEqual(8);
    expect(count(answers, 'retry') + count(answers, 'failed')).toBe(40);
    expect(await usesOf(to)).toEqual(['4 4 9', '4 4 9']);
  });

  test('wrong codes of three tenants: of twenty-four that their own caps allow, twenty are examined', async () => {
    const [a, b, c] = (await addTenants(3)) as [OwnTenant, OwnTenant, OwnTenant];
    const to = quietMobile();
    const open = [
      ...(await openChallenges(a, to, 4)),
      ...(await openChallenges(b, to, 4)),
      ...(await openChallenges(c, to, 2)),
    ];
    const wrong: string[] = [];
    for (const each of open) wrong.push(await wrongCodeOf(each));
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        submit(open[index % 10] as Open, wrong[index % 10] ?? '', Math.floor(index / 10)),
      ),
    );
    const uses = await usesOf(to);
    expect(uses.at(-1)).toBe('10 10 20');
    for (const line of uses.slice(0, -1)) expect(Number(line.split(' ')[2])).toBeLessThanOrEqual(9);
  });
});

test('a tenant that has used up all its caps of a number leaves it to another, which challenges and completes', async () => {
  const [first, second] = (await addTenants(2)) as [OwnTenant, OwnTenant];
  const to = quietMobile();
  const open = await openChallenges(first, to, 4);
  const last = open[3] as Open;
  for (const each of open) expect(await resend(each)).toBe('sent');
  for (const each of open.slice(0, 3)) {
    const wrong = await wrongCodeOf(each);
    expect([await submit(each, wrong), await submit(each, wrong), await submit(each, wrong)]).toEqual([
      'retry',
      'retry',
      'failed',
    ]);
  }
  expect(await usesOf(to)).toEqual(['4 8 9', '4 8 9']);
  expect(await challenge(first, to)).toBe('failed');
  expect(await resend(last)).toBe('sms-limit-reached');
  // Its right code is not examined any more.
  expect(await submit(last, (await codesOf(last))[1] ?? '')).toBe('failed');

  const [theirs] = (await openChallenges(second, to, 1)) as [Open];
  expect([await resend(theirs), await resend(theirs)]).toEqual(['sent', 'sent']);
  expect(await submit(theirs, await wrongCodeOf(theirs))).toBe('retry');
  expect(await submit(theirs, (await codesOf(theirs))[2] ?? '')).toBe('complete');
  expect(await usesOf(to)).toEqual(['4 8 9', '1 3 1', '5 11 10']);
});

test('codes of two companies for one number: neither is right at the other’s report, each counts where it was sent', async () => {
  const [first, second] = (await addTenants(2)) as [OwnTenant, OwnTenant];
  const ROUNDS = 10;
  for (let round = 0; round < ROUNDS; round += 1) {
    const to = quietMobile();
    const [mine, theirs] = [await challenge(first, to), await challenge(second, to, round)];
    if (!isOpen(mine) || !isOpen(theirs)) throw new Error('both challenge');
    const [[own = ''], [other = '']] = [await codesOf(mine), await codesOf(theirs)];
    expect(own).not.toBe(other);
    // A company does not find the report of another one, whatever it knows of it.
    await expect(submit({ ...theirs, tenant: first }, other)).rejects.toMatchObject({
      code: 'credit-report-not-found',
    });
    await expect(submit({ ...mine, challengeId: theirs.challengeId }, other)).rejects.toMatchObject({
      code: 'challenge-not-found',
    });
    expect(await Promise.all([submit(mine, other, round), submit(theirs, own, round + 1)])).toEqual(['retry', 'retry']);
    const counted = await server.query<{ id: string; count: number }>(
      'select id, attempts_used as count from challenges where id = any ($1)',
      [[mine.challengeId, theirs.challengeId]],
    );
    expect(counted.map(({ count }) => count)).toEqual([1, 1]);
    expect(await usesOf(to)).toEqual(['1 1 1', '1 1 1', '2 2 2']);
    expect(await Promise.all([submit(mine, own, round + 1), submit(theirs, other, round)])).toEqual([
      'complete',
      'complete',
    ]);
  }
}, 60_000);

test.each(['mobile_uses', 'tenant_mobile_uses'])(
  'an old row of %s that a transaction has come upon cannot be deleted under it',
  async (table) => {
    const [tenant] = (await addTenants(1)) as [OwnTenant];
    const to = quietMobile();
    const key = { tenantId: tenant.tenantId, numberHashes: [hashOfMobile(server, to)] as const };
    await openChallenges(tenant, to, 1);
    await server.query(
      `update ${table} set last_used_at = now() - interval '26 hours', challenged_at = '{}' where number_hash = $1`,
      [...key.numberHashes],
    );
    const deleteOld = () =>
      server.database.asSystem(async (tx) => {
        await tx.query('set local lock_timeout = 50', []);
        return tx.query(`delete from ${table} where last_used_at < now() - interval '25 hours'`, []);
      });
    await server.database.forTenants([tenant.tenantId], async (tx) => {
      await lockNumbers(tx, [key]);
      await expect(deleteOld()).rejects.toMatchObject({ code: '55P03' });
      expect(await countUses(tx, [key])).toHaveLength(1);
      await updateUses(tx, [{ ...key, challenges: 1, messages: 0, mistakes: 0 }]);
    });
    expect((await deleteOld()).rowCount).toBe(0);
    expect((await usesOf(to)).toSorted()).toEqual(['1 1 0', '2 1 0']);
  },
);
