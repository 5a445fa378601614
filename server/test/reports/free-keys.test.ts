// When a generate key is free again (docs/decisions/0056-idempotency.md): its request ended without a report, no bureau
// was asked. Live journeys against the simulators, every end of a report as a table, and two transactions that want the
// same free key.
import type { GenerateRequest } from '@trefoil/contract';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { settleReports } from '../../src/credit-reports/live/settle-reports.ts';
import type { ReportStatus } from '../../src/credit-reports/rules/report-status.ts';
import type { Failure } from '../../src/credit-reports/rules/settlement.ts';
import { lockReport } from '../../src/credit-reports/store.ts';
import { claimKeys, type NewKey } from '../../src/idempotency/claim-keys.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Tx } from '../../src/lib/postgres/sql.ts';
import { type LiveServer, liveBody } from '../support/live.ts';
import { askedTimes, control, type Provider, release } from '../support/providers.ts';
import { addTenant, type OwnTenant, refusalOf, storyOf } from '../support/tenant.ts';
import { type SecondNode, useTwoNodes } from '../support/two-nodes.ts';
import { type Reply, send } from '../support/wire.ts';
import { BUREAUS, FUNDS, newName, P, quietMobile, S } from '../support/words.ts';

const KEY = 'order-7';

let server: LiveServer;
let secondNode: SecondNode;
useTwoNodes((...nodes) => {
  [server, secondNode] = nodes;
});

const spoilOnce = (provider: Provider, lastName: string, behaviour: string) =>
  control(server, provider, { match: { lastName }, behaviour, times: 1 });

async function sendKeyed(tenant: OwnTenant, body: object, baseUrl = server.baseUrl): Promise<Reply> {
  return send(baseUrl, {
    method: 'POST',
    path: `/${tenant.tenantId}/v1/credit-reports`,
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      'idempotency-key': KEY,
      authorization: `Bearer ${await tenant.trefoil.getToken()}`,
    },
  });
}

type Answered = {
  readonly status: string;
  readonly creditReportId: string;
  readonly challenge: { readonly challengeId: string };
  readonly isReplay: boolean;
};

/** Answered with 200, which is checked. */
async function generate(tenant: OwnTenant, body: object): Promise<Answered> {
  const reply = await sendKeyed(tenant, body);
  expect(reply.status, reply.text).toBe(200);
  return { ...JSON.parse(reply.text).data, isReplay: reply.headers['idempotent-replayed'] === 'true' };
}

const bodyOf = (changes: Partial<GenerateRequest> = {}) => liveBody(server.mintSession(), changes);
const challengeBody = () =>
  bodyOf({ email: 'challenge@example.com', mobileNumber: quietMobile(), lastName: newName() });

async function letTimePass({ creditReportId }: Answered, interval: string): Promise<void> {
  await server.query('update challenges set last_sent_at = last_sent_at - $2::interval where credit_report_id = $1', [
    creditReportId,
    interval,
  ]);
}

const submit = (tenant: OwnTenant, { creditReportId, challenge }: Answered, code: string) =>
  tenant.trefoil.submitOtp(creditReportId, { challengeId: challenge.challengeId, code });

async function useUpAttempts(tenant: OwnTenant, challenged: Answered): Promise<void> {
  // None of them has six digits, so none is the code of a message.
  for (const code of ['wrong1', 'wrong2', 'wrong3']) await submit(tenant, challenged, code);
}

describe('the key is free, and the same request runs anew', () => {
  test('200 complete: the screening was down the first time; one charge, each bureau asked once', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = bodyOf({ lastName: newName() });
    await spoilOnce('screening', body.lastName, 'error');
    const first = await generate(tenant, body);
    const second = await generate(tenant, body);
    expect([first.status, second.status, second.isReplay]).toEqual(['failed', 'complete', false]);
    expect(second.creditReportId).not.toBe(first.creditReportId);
    expect(await askedTimes(server, first.creditReportId)).toEqual([0, 0, 0]);
    expect(await askedTimes(server, second.creditReportId)).toEqual([1, 1, 1]);
    // From here on it is the key of the report there is.
    expect(await generate(tenant, body)).toEqual({ ...second, isReplay: true });
    expect(await storyOf(server, tenant)).toMatchObject({
      reports: ['failed screening-unavailable', 'complete'],
      lines: ['report-charge -2000 8000'],
      held: 0,
    });
  });

  test('200 authentication-required: the device was not verified the first time; with a session it is another body', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = challengeBody();
    expect(await generate(tenant, { ...body, sessionId: 'forged' })).toMatchObject({ status: 'failed' });
    expect(await generate(tenant, body)).toMatchObject({ status: 'authentication-required', isReplay: false });
    expect((await storyOf(server, tenant)).reports).toEqual(['failed device-not-verified', 'challenged']);
    expect((await sendKeyed(tenant, { ...body, sessionId: 'forged' })).status).toBe(422);
  });

  test('200 authentication-required: no code could be delivered the first time; with a number it is another body', async () => {
    const tenant = await addTenant(server, FUNDS);
    const { mobileNumber, ...body } = challengeBody();
    expect(await generate(tenant, body)).toMatchObject({ status: 'failed' });
    expect(await generate(tenant, { ...body, mobileNumber })).toMatchObject({ status: 'authentication-required' });
    expect((await storyOf(server, tenant)).reports).toEqual(['failed not-deliverable', 'challenged']);
  });

  test('200 authentication-required after three wrong codes: charged, refunded, charged; two messages', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = challengeBody();
    const first = await generate(tenant, body);
    await useUpAttempts(tenant, first);
    const second = await generate(tenant, body);
    expect(second).toMatchObject({ status: 'authentication-required', isReplay: false });
    expect(await storyOf(server, tenant)).toMatchObject({
      reports: ['failed attempts-used', 'challenged'],
      lines: ['report-charge -2000 8000', 'report-refund 2000 10000', 'report-charge -2000 8000'],
      held: 2 * S,
    });
    await eventually(async () => expect(await server.inbox(body.mobileNumber ?? '')).toHaveLength(2));
    expect((await submit(tenant, second, await server.code(body.mobileNumber ?? ''))).data.status).toBe('complete');
  });

  test('200 authentication-required after an expired challenge was found and refunded', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = challengeBody();
    const first = await generate(tenant, body);
    await letTimePass(first, '301 seconds');
    expect(await refusalOf(submit(tenant, first, 'wrong1'))).toMatchObject({ code: 'challenge-expired' });
    expect(await generate(tenant, body)).toMatchObject({ status: 'authentication-required', isReplay: false });
    expect((await storyOf(server, tenant)).reports).toEqual(['expired expired', 'challenged']);
  });

  test('200 authentication-required after five minutes, before a job has ended the challenge; its refund comes later', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = challengeBody();
    const first = await generate(tenant, body);
    await letTimePass(first, '298 seconds');
    expect(await generate(tenant, body)).toEqual({ ...first, isReplay: true });
    await letTimePass(first, '3 seconds');
    const second = await generate(tenant, body);
    expect(second).toMatchObject({ status: 'authentication-required', isReplay: false });
    expect((await storyOf(server, tenant)).reports).toEqual(['challenged', 'challenged']);
    expect(await refusalOf(submit(tenant, first, 'wrong1'))).toMatchObject({ code: 'challenge-expired' });
    expect(await storyOf(server, tenant)).toMatchObject({
      reports: ['expired expired', 'challenged'],
      balance: FUNDS - P,
    });
    expect(await generate(tenant, body)).toEqual({ ...second, isReplay: true });
  });

  test('402 insufficient-funds: a free key that meets an empty wallet stays free', async () => {
    const tenant = await addTenant(server, P);
    const body = bodyOf({ lastName: newName() });
    await spoilOnce('screening', body.lastName, 'error');
    expect(await generate(tenant, body)).toMatchObject({ status: 'failed' });
    await tenant.trefoil.generate(bodyOf());
    expect((await sendKeyed(tenant, body)).status).toBe(402);
    await server.fund(tenant.tenantId, P);
    expect(await generate(tenant, body)).toMatchObject({ status: 'complete', isReplay: false });
  });
});

describe('the key keeps its answer', () => {
  test('200 failed: bureaus were asked and none answered; a second try would search the consumer twice', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = bodyOf({ lastName: newName() });
    for (const name of BUREAUS) await spoilOnce(name, body.lastName, 'reset');
    const first = await generate(tenant, body);
    expect(first.status).toBe('failed');
    expect(await generate(tenant, body)).toEqual({ ...first, isReplay: true });
    expect(await askedTimes(server, first.creditReportId)).toEqual([1, 1, 1]);
    expect((await storyOf(server, tenant)).reports).toEqual(['failed no-bureau-answered']);
  });

  test('200 authentication-required: the right code came and no bureau answered', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = challengeBody();
    for (const name of BUREAUS) await spoilOnce(name, body.lastName, 'reset');
    const first = await generate(tenant, body);
    const { data } = await submit(tenant, first, await server.code(body.mobileNumber ?? ''));
    expect(data.status).toBe('failed');
    await letTimePass(first, '1 hour');
    expect(await generate(tenant, body)).toEqual({ ...first, isReplay: true });
    expect((await storyOf(server, tenant)).reports).toEqual(['failed no-bureau-answered']);
  });

  test('200 blocked: a decision and no failure', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = bodyOf({ email: 'block@example.com' });
    const first = await generate(tenant, body);
    expect(await generate(tenant, body)).toEqual({ ...first, isReplay: true });
    expect((await storyOf(server, tenant)).reports).toEqual(['blocked']);
  });
});

describe('every end of a report', () => {
  type End = { readonly status: ReportStatus; readonly failure?: Failure; readonly sentAgo?: string };
  /** Whether a report with this end frees its key, live and in test mode, where used-up attempts are not written. */
  const FAILURES: Readonly<Record<Failure, boolean>> = {
    'screening-unavailable': true,
    'device-not-verified': true,
    'not-deliverable': true,
    'reservation-late': true,
    'attempts-used': true,
    expired: true,
    'no-bureau-answered': false,
    interrupted: false,
  };
  const ENDS: readonly (readonly [end: End, live: boolean, test: boolean])[] = [
    ...Object.entries(FAILURES).map(
      ([failure, frees]) => [{ status: 'failed', failure: failure as Failure }, frees, frees] as const,
    ),
    [{ status: 'failed' }, false, true],
    [{ status: 'expired', failure: 'expired' }, true, true],
    [{ status: 'challenged', sentAgo: '4 minutes 58 seconds' }, false, false],
    [{ status: 'challenged', failure: 'attempts-used', sentAgo: '1 minute' }, true, true],
    [{ status: 'challenged', sentAgo: '5 minutes 1 second' }, true, true],
    [{ status: 'fetching', sentAgo: '1 hour' }, false, false],
    [{ status: 'complete', sentAgo: '1 hour' }, false, false],
    [{ status: 'pending' }, false, false],
    [{ status: 'blocked' }, false, false],
    [{ status: 'complete' }, false, false],
  ];

  const ask = async (tenantId: string, creditReportId: string) => {
    const look = 'select report_frees_its_key($1, $2) as frees';
    const { rows } = await server.database.forTenants([tenantId], (tx) =>
      tx.query<{ frees: boolean | null }>(look, [tenantId, creditReportId]),
    );
    return rows[0]?.frees;
  };

  async function addReport(tenantId: string, { status, failure, sentAgo }: End, isTest: boolean): Promise<string> {
    const id = newId();
    await server.query(
      `insert into credit_reports (tenant_id, id, is_test, caller_id, status, failure, sealed_request)
       values ($1, $2, $3, $4, $5, $6, '')`,
      [tenantId, id, isTest, newId(), status, failure],
    );
    if (sentAgo !== undefined)
      await server.query(
        `insert into challenges (tenant_id, credit_report_id, id, last_sent_at)
         values ($1, $2, $3, clock_timestamp() - $4::interval)`,
        [tenantId, id, newId(), sentAgo],
      );
    return id;
  }

  test.each(ENDS)('%j frees its key: live %s, in test mode %s', async (end, isFreeLive, isFreeInTest) => {
    const { tenantId } = server.demo;
    const ids = [await addReport(tenantId, end, false), await addReport(tenantId, end, true)];
    try {
      expect(await ask(tenantId, ids[0] ?? '')).toBe(isFreeLive);
      expect(await ask(tenantId, ids[1] ?? '')).toBe(isFreeInTest);
      // Behind the wall of another tenant there is no such report.
      const seenByOther = await server.database.forTenants([server.other.tenantId], (tx) =>
        tx.query<{ frees: boolean }>('select report_frees_its_key($1, $2) as frees', [tenantId, ids[1]]),
      );
      expect(seenByOther.rows).toEqual([{ frees: false }]);
    } finally {
      // Live reports without holds would trouble the sweeps and the books.
      await server.query('delete from challenges where credit_report_id = any ($1)', [ids]);
      await server.query('delete from credit_reports where id = any ($1)', [ids]);
    }
  });
});

describe('requests at once', () => {
  test('409 request-in-progress while a code of the last moment is being judged: it may still ask bureaus', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = challengeBody();
    const first = await generate(tenant, body);
    await letTimePass(first, '301 seconds');
    // As a submit does before it looks at the clock.
    await server.database.forTenants([tenant.tenantId], async (tx) => {
      await lockReport(tx, tenant.tenantId, first.creditReportId);
      for (const each of [body, { ...body, firstName: 'Other' }]) {
        const reply = await sendKeyed(tenant, each);
        expect([reply.status, JSON.parse(reply.text).code]).toEqual([409, 'request-in-progress']);
      }
    });
    expect(await generate(tenant, body)).toMatchObject({ isReplay: false });
  });

  const endings = {
    'a screening that was down': async (tenant: OwnTenant, lastName: string) => {
      await spoilOnce('screening', lastName, 'error');
      return generate(tenant, bodyOf({ lastName }));
    },
    'five minutes that are over': async (tenant: OwnTenant, lastName: string) => {
      const first = await generate(tenant, { ...challengeBody(), lastName });
      await letTimePass(first, '301 seconds');
      return first;
    },
  };
  for (const [name, end] of Object.entries(endings)) {
    test(`after ${name}, 40 with two bodies over two nodes: one report more, no dead answer, then the same for ever`, async () => {
      const tenant = await addTenant(server, 20 * FUNDS);
      const first = await end(tenant, newName());
      const body = bodyOf();
      const bodies = [body, { ...body, firstName: 'Beatrix' }] as const;
      const replies = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const which = Math.trunc(index / 2) % 2;
          const baseUrl = index % 2 === 0 ? server.baseUrl : secondNode.baseUrl;
          const reply = await sendKeyed(tenant, bodies[which] ?? {}, baseUrl);
          return { which, status: reply.status, id: JSON.parse(reply.text).data?.creditReportId as string | undefined };
        }),
      );
      const ids = new Set(replies.flatMap(({ id }) => id ?? []));
      expect(ids.size).toBe(1);
      expect(ids.has(first.creditReportId)).toBe(false);
      const winner = replies.find(({ id }) => id !== undefined)?.which ?? 0;
      for (const { which, status } of replies) {
        if (which === winner) expect([200, 409]).toContain(status);
        // While the winner's transaction is not over, a loser may be told to come back; never to be run.
        else expect([409, 422]).toContain(status);
      }
      expect(replies.filter(({ which, status }) => which !== winner && status === 422).length).toBeGreaterThan(0);
      expect(await generate(tenant, bodies[winner] ?? {})).toMatchObject({
        creditReportId: [...ids][0],
        isReplay: true,
      });
      expect((await sendKeyed(tenant, bodies[1 - winner] ?? {})).status).toBe(422);
      const { reports } = await storyOf(server, tenant);
      expect(reports).toHaveLength(2);
      expect(reports[1]).toBe('complete');
      expect(await askedTimes(server, [...ids][0] ?? '')).toEqual([1, 1, 1]);
    });
  }

  const route = 'POST /:tenantId/v1/credit-reports';
  const fingerprintOf = (body: string) => Buffer.from(body.padEnd(32));
  const newKey = (tenantId: string, name: string, body: string): NewKey => ({
    rows: [
      {
        tenantId,
        callerId: server.demo.clientId,
        route,
        keyHash: Buffer.from(name),
        fingerprint: fingerprintOf(body),
      },
    ],
    subjectId: newId(),
  });
  /** As an earlier request left it: its report failed for want of the screening. */
  async function addFreeKeys(tenantId: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const { rows, subjectId } = newKey(tenantId, name, 'earlier');
      const [{ callerId, keyHash, fingerprint }] = rows;
      await server.query(
        `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request)
         values ($1, $2, true, $3, 'failed', '')`,
        [tenantId, subjectId, callerId],
      );
      await server.query(
        `insert into idempotency_keys (tenant_id, caller_id, route, key_hash, fingerprint, credit_report_id, answer)
         values ($1, $2, $3, $4, $5, $6, '{"data":{}}')`,
        [tenantId, callerId, route, keyHash, fingerprint, subjectId],
      );
    }
  }
  const claim = (tx: Tx, ...keys: NewKey[]) => claimKeys(tx, keys).then((claims) => claims.map(({ kind }) => kind));

  test('in one transaction: the first takes it, and the others are compared with the first', async () => {
    const { tenantId } = await addTenant(server, 0);
    await addFreeKeys(tenantId, ['one']);
    const kinds = await server.database.forTenants([tenantId], (tx) =>
      claim(tx, ...['new', 'new', 'earlier', 'other'].map((body) => newKey(tenantId, 'one', body))),
    );
    expect(kinds).toEqual(['claimed', 'in-progress', 'reused', 'reused']);
  });

  const waitingForKeys = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                             and query like '%idempotency_keys%'`;
  const waitFor = (count: number) =>
    eventually(async () => expect(await server.query(waitingForKeys)).toHaveLength(count));
  /** The body of the later request, and what its claim comes to when a request with the body `new` was quicker. */
  const LATER = { new: 'in-progress', earlier: 'reused' } as const;

  test('in two transactions: the later one waits, and is compared with the one that was quicker', async () => {
    for (const [body, kind] of Object.entries(LATER)) {
      const { tenantId } = await addTenant(server, 0);
      await addFreeKeys(tenantId, ['one']);
      let later: Promise<string[]> | undefined;
      await server.database.forTenants([tenantId], async (tx) => {
        expect(await claim(tx, newKey(tenantId, 'one', 'new'))).toEqual(['claimed']);
        later = server.database.forTenants([tenantId], (other) => claim(other, newKey(tenantId, 'one', body)));
        await waitFor(1);
      });
      expect(await later).toEqual([kind]);
    }
  });

  test('in two transactions that both found it free: one takes it, and the other is compared with that one', async () => {
    for (const [body, kind] of Object.entries(LATER)) {
      const { tenantId } = await addTenant(server, 0);
      await addFreeKeys(tenantId, ['one']);
      const blocker = new Client({ connectionString: server.config.database.ownerUrl });
      await blocker.connect();
      try {
        // A lock on the row stops neither an insert nor a look, only those that would take it.
        await blocker.query('begin');
        await blocker.query('select from idempotency_keys where tenant_id = $1 for update', [tenantId]);
        const claims = ['new', body].map((each) =>
          server.database.forTenants([tenantId], (tx) => claim(tx, newKey(tenantId, 'one', each))),
        );
        await waitFor(2);
        await blocker.query('rollback');
        expect((await Promise.all(claims)).flat().toSorted()).toEqual(['claimed', kind]);
      } finally {
        await blocker.end();
      }
    }
  });

  test('lists of free keys in either order: no transaction waits for one that waits for it', async () => {
    const { tenantId } = await addTenant(server, 0);
    for (let round = 0; round < 10; round += 1) {
      const names = Array.from({ length: 20 }, (_, index) => `${round}-${index}`);
      await addFreeKeys(tenantId, names);
      const lists = await Promise.all(
        [names, names.toReversed(), names, names.toReversed()].map((list) =>
          server.database.forTenants([tenantId], (tx) =>
            claim(tx, ...list.map((name) => newKey(tenantId, name, 'new'))),
          ),
        ),
      );
      expect(lists.flat().filter((kind) => kind === 'claimed')).toHaveLength(20);
      expect(lists.flat().filter((kind) => kind === 'in-progress')).toHaveLength(60);
    }
  });
});

describe('a settlement that was committed although its request did not hear of it', () => {
  /** Settles the only pending report of a tenant, as the first try of a lost commit did. */
  async function settleUnheard(tenantId: string): Promise<string> {
    const pending = `select id, first_send_id from credit_reports where tenant_id = $1 and status = 'pending'`;
    const report = await eventually(async () => {
      const [found] = await server.query<{ id: string; first_send_id: string | null }>(pending, [tenantId]);
      if (!found) throw new Error('not reserved yet');
      return found;
    });
    await server.database.forTenants([tenantId], (tx) =>
      settleReports(tx, [
        {
          ...{ tenantId, creditReportId: report.id, from: 'pending', firstSendId: report.first_send_id, fence: 0 },
          ...{ actor: 'system', outcome: { kind: 'failed', failure: 'screening-unavailable' }, mayHaveKey: true },
        },
      ]),
    );
    return report.id;
  }

  test('200 failed: the request gives that answer, although its key is free', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = bodyOf({ lastName: newName() });
    await spoilOnce('screening', body.lastName, `held=${body.lastName}`);
    const answer = generate(tenant, body);
    const creditReportId = await settleUnheard(tenant.tenantId);
    await release(server, body.lastName, 'screening');
    expect(await answer).toMatchObject({ status: 'failed', creditReportId, isReplay: false });
    expect(await generate(tenant, body)).toMatchObject({ status: 'complete', isReplay: false });
  });

  test('200 failed: and also when another request has taken the key over meanwhile', async () => {
    const tenant = await addTenant(server, FUNDS);
    const body = bodyOf({ lastName: newName() });
    await spoilOnce('screening', body.lastName, `held=${body.lastName}`);
    const answer = generate(tenant, body);
    const creditReportId = await settleUnheard(tenant.tenantId);
    const second = await generate(tenant, { ...body, firstName: 'Other' });
    expect(second).toMatchObject({ status: 'complete', isReplay: false });
    await release(server, body.lastName, 'screening');
    expect(await answer).toMatchObject({ status: 'failed', creditReportId, isReplay: false });
    expect(await generate(tenant, { ...body, firstName: 'Other' })).toEqual({ ...second, isReplay: true });
  });
});
