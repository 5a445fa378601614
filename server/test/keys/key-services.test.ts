// Live reports with each of the three key services: made, read by another node, the service away, and a month destroyed, also
// for a backup that was taken before.
import type { GenerateRequest } from '@trefoil/contract';
import { createTrefoil, TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createVault, isWorkingKeyId } from '../../src/lib/crypto/vault.ts';
import { generateBody } from '../harness.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { jsonHere, runHere } from '../support/command-line.ts';
import { KEY_SERVICE_STARTS, type StartedKeyService } from '../support/key-services.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { moveToMonth, readAsThief, readKeyRow, takeBackup } from '../support/old-months.ts';
import { findWords, newCanary } from '../support/subjects.ts';

const LONG_AGO = '2026-05';
const THIS_MONTH = new Date().toISOString().slice(0, 7);

type Month = { month: string; liveRows: number; state: string; atService: string };

describe.each(KEY_SERVICE_STARTS)('%s', (kind, start) => {
  let service: StartedKeyService;
  let server: LiveServer;
  let tenantId: string;
  beforeAll(async () => {
    service = await start();
    server = await startLiveServer({ environment: service.environment });
    ({ tenantId } = server.demo);
    await server.fund(tenantId, 1_000_000);
  });
  afterAll(async () => {
    try {
      await expectBooksToBalance(server);
    } finally {
      await server.close();
      await service.close();
    }
  });

  async function makeLive(changes: Partial<GenerateRequest> = {}): Promise<string> {
    const { data } = await server.trefoil.generate(liveBody(server.mintSession(), changes));
    expect(data.status).toBe('complete');
    return data.creditReportId;
  }
  /** The status, and where there is one the code and Retry-After. */
  const outcomeOf = (call: Promise<unknown>) =>
    call.then(
      () => '200',
      (error) => {
        if (!(error instanceof TrefoilError)) throw error;
        return `${error.status} ${error.code}`;
      },
    );
  const read = (baseUrl: string, token: string, creditReportId: string) =>
    fetch(`${baseUrl}/${tenantId}/v1/credit-reports/${creditReportId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
  const list = (baseUrl: string, bearer: string) =>
    fetch(`${baseUrl}/${tenantId}/v1/credit-reports`, { headers: { authorization: `Bearer ${bearer}` } });
  const token = () => server.trefoil.getToken();
  /** Its progress goes to standard error. */
  async function rotate(...options: string[]) {
    const { code, stdout } = await runHere(server, 'keys', 'rotate', ...options, '--json');
    expect(code).toBe(0);
    return JSON.parse(stdout) as { dataKeys: { count: number } };
  }

  test('200: a live report is wrapped by the key of its month, and every node reads it', async () => {
    const creditReportId = await makeLive();
    expect((await readKeyRow(server, creditReportId)).ringKeyId).toBe(`month:${THIS_MONTH}:${kind}`);
    const node = await server.startNode();
    try {
      expect((await read(node.baseUrl, await token(), creditReportId)).status).toBe(200);
    } finally {
      await node.close();
    }
    expect(await server.query('select from working_keys where month = $1', [THIS_MONTH])).toHaveLength(1);
  });

  test('200: a challenge is answered, and test mode works', async () => {
    const to = '+447700900044';
    const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: to });
    const { data } = await server.trefoil.generate(body);
    if (data.status !== 'authentication-required') throw new Error(data.status);
    const code = await server.code(to);
    const right = await server.trefoil.submitOtp(data.creditReportId, { ...data.challenge, code });
    expect(right.data.status).toBe('complete');
    expect((await server.trefoil.generate(generateBody())).data.status).toBe('complete');
  });

  test('away: what is in memory goes on; 503 with Retry-After for what is not, and nothing is charged', async () => {
    const recent = await makeLive();
    const old = await makeLive({ externalReference: 'claim-0044' });
    await moveToMonth(server, LONG_AGO, old, tenantId);
    const bearer = await token();
    await service.takeAway();
    let fresh: Awaited<ReturnType<typeof server.startNode>> | undefined;
    try {
      expect(await outcomeOf(server.trefoil.generate(liveBody(server.mintSession())))).toBe('200');
      expect((await read(server.baseUrl, bearer, recent)).status).toBe(200);
      const refused = await read(server.baseUrl, bearer, old);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await refused.json()).toMatchObject({ code: 'service-unavailable' });
      // A list would have to leave the reference out: that would be a wrong answer.
      expect((await list(server.baseUrl, bearer)).status).toBe(503);
      // A node that starts meanwhile has nothing in memory: it starts, and is 503 for reports alone.
      fresh = await server.startNode();
      expect((await fetch(`${fresh.baseUrl}/readyz`)).status).toBe(200);
      const before = await server.wallet(tenantId);
      const client = createTrefoil({ ...server.demo, baseUrl: fresh.baseUrl, maxRetries: 0 });
      for (const body of [liveBody(server.mintSession()), generateBody()]) {
        expect(await outcomeOf(client.generate(body))).toBe('503 service-unavailable');
      }
      expect((await read(fresh.baseUrl, bearer, recent)).status).toBe(503);
      expect(await server.wallet(tenantId)).toEqual(before);
    } finally {
      await service.bringBack();
    }
    // The breaker opens for ten seconds after five failures.
    await eventually(async () => expect((await read(fresh?.baseUrl ?? '', bearer, recent)).status).toBe(200));
    await eventually(async () => expect((await read(server.baseUrl, bearer, old)).status).toBe(200));
    await fresh?.close();
    expect(await (await list(server.baseUrl, bearer)).text()).toContain('claim-0044');
  });

  test('a month goes only when no live row needs it, and then no backup can be read either', async () => {
    const month = '2026-04';
    const [gone, other, recent] = [newCanary('Wrexdestroyed'), newCanary('Throcklasting'), newCanary('Snaresrecent')];
    const creditReportId = await makeLive(gone.request);
    const ofOtherMonth = await makeLive(other.request);
    const kept = await makeLive(recent.request);
    await moveToMonth(server, month, creditReportId, tenantId);
    await moveToMonth(server, '2026-03', ofOtherMonth, tenantId);
    const backup = await takeBackup(server);
    const bearer = await token();

    // The control: with the key, the restored copy is read.
    const before = await backup.restore();
    const nodeBefore = await server.startNode(before.environment);
    expect((await read(nodeBefore.baseUrl, bearer, creditReportId)).status).toBe(200);
    await nodeBefore.close();
    const readBefore = await readAsThief(server, before.environment);
    for (const word of [gone, other, recent].flatMap(({ words }) => words)) expect(readBefore, word).toContain(word);
    await before.drop();

    const refused = await runHere(server, 'keys', 'destroy-month', month, '--yes');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('1 live report needs it')]);
    const young = await runHere(server, 'keys', 'destroy-month', THIS_MONTH, '--yes');
    expect([young.code, young.stderr]).toEqual([1, expect.stringContaining('a tenant may need its reports until')]);
    const unknown = await runHere(server, 'keys', 'destroy-month', '2020-01', '--yes');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no key of 2020-01')]);
    expect((await read(server.baseUrl, bearer, creditReportId)).status).toBe(200);

    await server.query('delete from data_keys where credit_report_id = $1', [creditReportId]);
    const asked = await runHere(server, 'keys', 'destroy-month', month);
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('can never be read again')]);
    await jsonHere(server, 'keys', 'destroy-month', month, '--yes');
    const months = await jsonHere<Month[]>(server, 'keys', 'months');
    expect(months.find((each) => each.month === month)).toMatchObject({
      ...{ state: 'destroyed', liveRows: 0, atService: 'gone' },
    });
    expect(months.find((each) => each.month === THIS_MONTH)).toMatchObject({ state: 'needed', atService: 'present' });
    const again = await runHere(server, 'keys', 'destroy-month', month, '--yes');
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('destroyed before')]);
    const [audited] = await server.query<{ count: string }>(
      `select count(*) from audit_log where action = 'month-key.destroyed' and details::text like '%${month}%'`,
    );
    expect(Number(audited?.count)).toBe(2);

    const after = await backup.restore();
    const nodeAfter = await server.startNode(after.environment);
    try {
      const reply = await read(nodeAfter.baseUrl, bearer, creditReportId);
      expect(reply.status).toBe(503);
      const readAfter = await readAsThief(server, after.environment);
      expect(findWords(readAfter, gone.words)).toEqual([]);
      // The same search finds the reports whose months have their keys.
      for (const word of [other, recent].flatMap(({ words }) => words)) expect(readAfter, word).toContain(word);
      // The key of this month is there, so everything else of the same backup is read.
      expect((await read(nodeAfter.baseUrl, bearer, kept)).status).toBe(200);
    } finally {
      await nodeAfter.close();
      await after.drop();
      backup.remove();
    }
    expect((await read(server.baseUrl, bearer, kept)).status).toBe(200);
  });

  test('keys rotate: ring rows move to this month, working keys are re-wrapped, and back onto the ring', async () => {
    const creditReportId = await makeLive();
    const place = { tenantId, subjectId: creditReportId };
    expect(isWorkingKeyId((await readKeyRow(server, creditReportId)).ringKeyId)).toBe(true);
    const back = await rotate('--onto', 'ring');
    expect(back.dataKeys.count).toBeGreaterThan(0);
    const ringRow = await readKeyRow(server, creditReportId);
    expect(ringRow.ringKeyId).toBe(server.config.vaultKeys[0].id);
    // The ring alone opens it now: nothing of the key service is needed any more.
    expect(() => createVault(server.config.vaultKeys).openDataKey(place, ringRow)).not.toThrow();
    expect((await read(server.baseUrl, await token(), creditReportId)).status).toBe(200);
    const forth = await rotate();
    expect(forth.dataKeys.count).toBe(back.dataKeys.count);
    expect((await readKeyRow(server, creditReportId)).ringKeyId).toBe(`month:${THIS_MONTH}:${kind}`);
    expect((await rotate()).dataKeys.count).toBe(0);
    const node = await server.startNode();
    expect((await read(node.baseUrl, await token(), creditReportId)).status).toBe(200);
    await node.close();
  });
});
