// What two nodes promise in a pair of neighbouring states of a rotation of the hash key
// (docs/decisions/0260-the-hash-key-is-a-ring.md): one idempotency key is one charge, a number has its caps once, and each node
// takes what the other made. Each pair has a file of its own, so that they share the machine. Four keys unless told:
//   TREFOIL_TEST_RING_ROUNDS=40 npx vitest run server/test/reports/hash-ring
import type { GenerateRequest } from '@trefoil/contract';
import { createTrefoil, TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HashState } from '../../../tools/dev/hash-roll-out.ts';
import { checkSecondFactor } from '../../src/identity/factors/check-second-factor.ts';
import { makeResetPath } from '../../src/identity/factors/recover-person.ts';
import { createSecretSeal } from '../../src/identity/factors/seal-secret.ts';
import { createRingHash } from '../../src/lib/crypto/hash-ring.ts';
import { newId } from '../../src/lib/ids.ts';
import { createLinkTokens } from '../../src/mail/link-tokens.ts';
import { CLIENT, generateBody } from '../harness.ts';
import { ACCESS, Browser } from './browser.ts';
import { liveBody } from './live.ts';
import { type MixedNodes, post, startMixed } from './mixed-nodes.ts';
import { AT_ONCE, countOrphans, race, raceCharges } from './ring-races.ts';
import { addDeveloper, enrolTotp } from './sign-in.ts';
import { addTenant, type OwnTenant } from './tenant.ts';
import { P, quietMobile, wrongCode } from './words.ts';

const ROUNDS = Number(process.env['TREFOIL_TEST_RING_ROUNDS'] ?? 4);
/** Of what is tried beside it: at each node at least once. */
const FREED = Math.max(2, Math.ceil(ROUNDS / 5));
const OF_ONE_NUMBER = Math.min(30, 3 * ROUNDS);
/** Of the four challenges that are made, more than nine in all. */
const GUESSES = Math.min(40, 4 * ROUNDS);

export function testPair(one: HashState, other: HashState): void {
  let mixed: MixedNodes;
  beforeAll(async () => {
    mixed = await startMixed(one, other);
  });
  afterAll(() => mixed.close());

  const clientOf = (tenant: OwnTenant, place: number) =>
    createTrefoil({ ...CLIENT, ...tenant, baseUrl: mixed.nodes[place % 2] ?? '' });
  const challengeBody = (to: string, changes: Partial<GenerateRequest> = {}) =>
    liveBody(mixed.server.mintSession(), { email: 'challenge@example.com', mobileNumber: to, ...changes });

  async function challenge(tenant: OwnTenant, place: number, body: GenerateRequest) {
    const { data } = await clientOf(tenant, place).generate(body);
    return data.status === 'authentication-required'
      ? { creditReportId: data.creditReportId, challengeId: data.challenge.challengeId }
      : data.status;
  }

  test(`0 double charges: ${ROUNDS} idempotency keys, each ${AT_ONCE} times at once over both nodes, have one answer`, async () => {
    const { tenant, severalReports, others, orphans, charges } = await raceCharges(mixed, ROUNDS);
    expect({ severalReports, others, orphans, charges }).toEqual({
      severalReports: 0,
      others: [],
      orphans: 0,
      charges: ROUNDS,
    });
    // One after the other, too: each node replays what the other did.
    for (const first of [0, 1]) {
      const body = liveBody(mixed.server.mintSession());
      const replies = [];
      for (const place of [first, 1 - first]) {
        replies.push(await post(mixed.nodes[place] ?? '', tenant, { key: `late-${first}`, body }));
      }
      const [begun, repeated] = replies.map(({ text }) => JSON.parse(text).data);
      expect(repeated).toEqual(begun);
      expect(replies[1]?.headers['idempotent-replayed']).toBe('true');
      // Another body under the same key, at the node that did not see the first.
      const changed = { ...body, lastName: 'Other' };
      const reused = await post(mixed.nodes[1 - first] ?? '', tenant, { key: `late-${first}`, body: changed });
      expect(reused.status).toBe(422);
    }
  });

  test('in test mode, and for codes and messages, a key is one effect', async () => {
    const tenant = await addTenant(mixed.server, P * 4);
    for (let round = 0; round < FREED; round += 1) {
      const inTest = await race(mixed, tenant, { key: `test-${round}`, body: generateBody() });
      expect([inTest.ids.size, inTest.others]).toEqual([1, []]);
    }
    const to = quietMobile();
    const opened = await challenge(tenant, 0, challengeBody(to));
    if (typeof opened === 'string') throw new Error(opened);
    const { creditReportId, challengeId } = opened;
    const resent = await race(mixed, tenant, {
      key: 'resend',
      action: `/${creditReportId}/resend-sms`,
      body: { challengeId },
    });
    expect(resent.others).toEqual([]);
    const sends = await mixed.server.query('select from sms_sends where credit_report_id = $1', [creditReportId]);
    expect(sends).toHaveLength(2);
    const wrong = await race(mixed, tenant, {
      key: 'guess',
      action: `/${creditReportId}/otp-challenge`,
      body: { challengeId, code: 'wrong1' },
    });
    expect(wrong.others).toEqual([]);
    const [attempts] = await mixed.server.query('select attempts_used from challenges where id = $1', [challengeId]);
    expect(attempts).toEqual({ attempts_used: 1 });
    expect(await countOrphans(mixed, tenant)).toBe(0);
  });

  test('a key that became free is taken over once, whichever node made it and whichever takes it', async () => {
    const tenant = await addTenant(mixed.server, P * 20);
    for (let round = 0; round < FREED; round += 1) {
      const body = liveBody(mixed.server.mintSession(), { email: 'challenge@example.com' });
      const key = `free-${round}`;
      // Without a number no code can be delivered: nothing is charged and the key is free.
      const first = await post(mixed.nodes[round % 2] ?? '', tenant, { key, body });
      expect(JSON.parse(first.text).data.status).toBe('failed');
      const { ids, others } = await race(mixed, tenant, {
        key,
        body: { ...body, email: 'allow@example.com' },
      });
      expect([ids.size, others]).toEqual([1, []]);
      expect(ids.has(JSON.parse(first.text).data.creditReportId)).toBe(false);
    }
    const charges = await mixed.server.query(`select from ledger_txs where tenant_id = $1 and kind = 'report-charge'`, [
      tenant.tenantId,
    ]);
    expect(charges).toHaveLength(FREED);
  });

  test(`${OF_ONE_NUMBER} challenges of one number over both nodes: four are made; nine of its wrong codes are examined`, async () => {
    const tenant = await addTenant(mixed.server, P * (OF_ONE_NUMBER + 10));
    const to = quietMobile();
    const answers = await Promise.all(
      Array.from({ length: OF_ONE_NUMBER }, (_, index) => challenge(tenant, index, challengeBody(to))),
    );
    const open = answers.filter((answer) => typeof answer !== 'string');
    expect([open.length, answers.filter((answer) => answer === 'failed').length]).toEqual([4, OF_ONE_NUMBER - 4]);
    const guesses = await Promise.all(
      Array.from({ length: GUESSES }, (_, index) => {
        const { creditReportId, challengeId } = open[index % 4] ?? { creditReportId: '', challengeId: '' };
        return clientOf(tenant, index >> 2)
          .submitOtp(creditReportId, { challengeId, code: 'wrong1' })
          .then(({ data }) => data.status)
          .catch((error) => (error instanceof TrefoilError ? error.code : Promise.reject(error)));
      }),
    );
    expect(guesses.filter((status) => status === 'retry').length).toBeLessThanOrEqual(8);
    const [used] = await mixed.server.query<{ mistakes: number }>(
      'select max(cardinality(mistaken_at)) as mistakes from tenant_mobile_uses where tenant_id = $1',
      [tenant.tenantId],
    );
    expect(used?.mistakes).toBe(9);
  });

  test('a code of one node is right at the other, a wrong one is wrong, and a device session is the same person’s', async () => {
    for (const place of [0, 1]) {
      const tenant = await addTenant(mixed.server, P * 4);
      const to = quietMobile();
      const body = challengeBody(to);
      const opened = await challenge(tenant, place, body);
      if (typeof opened === 'string') throw new Error(opened);
      const { creditReportId, challengeId } = opened;
      const code = await mixed.server.code(to);
      const there = clientOf(tenant, 1 - place);
      const submit = async (given: string) =>
        (await there.submitOtp(creditReportId, { challengeId, code: given })).data.status;
      expect(await submit(wrongCode(code))).toBe('retry');
      expect(await submit(code)).toBe('complete');
      // The same page asks again at the other node: the session is bound to this person.
      const again = await challenge(tenant, 1 - place, { ...body, mobileNumber: quietMobile() });
      expect(typeof again).toBe('object');
      const another = await challenge(tenant, 1 - place, {
        ...body,
        lastName: 'Stranger',
        mobileNumber: quietMobile(),
      });
      expect(another).toBe('failed');
    }
  });

  test('a reference, a link and a recovery code of one node are found by the other', async () => {
    for (const place of [0, 1]) {
      const [here, there] = [mixed.configs[place], mixed.configs[1 - place]];
      if (!here || !there) throw new Error('there are two nodes');
      const tenant = await addTenant(mixed.server, P * 2);
      const externalReference = `case-${newId()}`;
      const { data } = await clientOf(tenant, place).generate(
        liveBody(mixed.server.mintSession(), { externalReference }),
      );
      const other = clientOf(tenant, 1 - place);
      const listed = await other.listReports({ externalReference });
      expect(listed.data.items.map(({ creditReportId }) => creditReportId)).toEqual([data.creditReportId]);
      expect((await other.countReports({ externalReference })).data.total).toBe(1);

      const member = await addDeveloper(mixed.server);
      const path = await makeResetPath(mixed.server.database, createLinkTokens(here.hashKeys), member.userId);
      const visitor = new Browser({ baseUrl: mixed.server.baseUrl, nextNode: () => mixed.nodes[1 - place] ?? '' });
      expect((await visitor.get(path)).status).toBe(200);

      const database = mixed.server.database;
      const codes = await enrolTotp(
        mixed.server,
        await signInOver(mixed, member, () => mixed.nodes[place] ?? ''),
        member,
      );
      const hashRecoveryCode = createRingHash([...there.hashKeys, ...there.retiredHashKeys], 'recovery-code');
      const judge = { database, seal: createSecretSeal(there.vaultKeys), hashRecoveryCode };
      const code = { kind: 'recovery', text: codes.recoveryCodes[0] ?? '' } as const;
      expect((await checkSecondFactor(judge, member.userId, code)).kind).toBe('right');
      expect((await checkSecondFactor(judge, member.userId, code)).kind).not.toBe('right');
    }
  });

  test('a sign-in whose every request reaches the other node succeeds, and its tokens are refreshed anywhere', async () => {
    for (const place of [0, 1]) {
      const member = await addDeveloper(mixed.server);
      let request = place;
      const browser = await signInOver(mixed, member, () => mixed.nodes[request++ % 2] ?? '');
      // Without its access token the browser lives by its refresh token.
      for (const step of [0, 1]) {
        browser.cookies.delete(ACCESS);
        request = step;
        expect((await browser.get('/v1/auth/account')).status).toBe(200);
      }
    }
  });
}

async function signInOver(
  mixed: MixedNodes,
  { email, password }: { email: string; password: string },
  nextNode: () => string,
) {
  const browser = new Browser({ baseUrl: mixed.server.baseUrl, nextNode });
  const page = await browser.open('/v1/auth/login');
  await browser.follow(await browser.post(page.path, { email, password }));
  expect(browser.cookie(ACCESS)).toBeDefined();
  return browser;
}
