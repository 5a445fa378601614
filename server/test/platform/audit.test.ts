// The audit log over HTTP and under the verifier: whatever must leave a row leaves exactly one, and damage done behind
// the service's back, as a superuser would, is found and called by its name.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditItem, SCOPES } from '@trefoil/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendAudit } from '../../src/audit/append-audit.ts';
import type { AuditAction } from '../../src/audit/rules/audit-action.ts';
import { linkText } from '../../src/audit/rules/chain.ts';
import { newId } from '../../src/lib/ids.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { runHere } from '../support/command-line.ts';
import { addPerson, addTenantWithOwner, auditOf, callAs, type TestPerson } from '../support/people.ts';
import { send } from '../support/wire.ts';

let server: TestServer;
let folder: string;
/** Tenants whose chains a test has tampered with. */
const damaged = new Set<string>();
beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'trefoil-audit-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

type Page = { items: AuditItem[]; nextCursor: string | null };

async function read(person: { token: string }, tenantId: string, query = ''): Promise<Page> {
  const { status, data, reply } = await callAs(server, person, 'GET', `/${tenantId}/v1/audit${query}`);
  expect(status, reply.text).toBe(200);
  return data as unknown as Page;
}

/** Rows of the tenant's chain without anything having happened. */
async function fill(tenantId: string, count: number, action: AuditAction = 'report.read'): Promise<void> {
  for (let done = 0; done < count; done += 500) {
    const lot = Array.from({ length: Math.min(500, count - done) }, (_, index) => ({
      tenantId,
      actor: 'system',
      action,
      subjectId: newId(),
      details: { number: done + index, names: ['a "quoted" word', 'é'] },
    }));
    await server.database.forTenants([tenantId], (tx) => appendAudit(tx, lot));
  }
}

describe('every event leaves exactly one row', () => {
  async function rowsOf(tenantId: string, work: () => Promise<unknown>): Promise<object[]> {
    const before = (await auditOf(server, tenantId)).length;
    await work();
    return (await auditOf(server, tenantId)).slice(before);
  }

  async function addCredential(tenantId: string, owner: TestPerson) {
    const body = { name: 'Portal', scopes: SCOPES };
    const { data } = await callAs(server, owner, 'POST', `/${tenantId}/v1/credentials`, body);
    return data as unknown as { id: string; clientSecret: string };
  }
  const askToken = (id: string, secret: string) =>
    send(server.baseUrl, {
      method: 'POST',
      path: '/v1/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
        scope: 'reports:write reports:read',
      }).toString(),
    });

  test('a token, a report read and a page of reports; none for a refusal or a replay', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const { id, clientSecret } = await addCredential(tenantId, owner);
    let token = '';
    const issued = await rowsOf(tenantId, async () => {
      token = JSON.parse((await askToken(id, clientSecret)).text).access_token;
    });
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(issued).toEqual([
      {
        actor: id,
        action: 'token.issued',
        subject: id,
        details: { grant: 'client_credentials', tokenId: jti, scopes: ['reports:write', 'reports:read'] },
      },
    ]);
    expect(await rowsOf(tenantId, () => askToken(id, 'wrong'))).toEqual([]);

    const machine = { token };
    const reports = `/${tenantId}/v1/credit-reports`;
    const generate = () =>
      send(server.baseUrl, {
        method: 'POST',
        path: reports,
        body: JSON.stringify(generateBody()),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': 'one',
        },
      });
    const reportId = JSON.parse((await generate()).text).data.creditReportId as string;
    expect(await rowsOf(tenantId, generate)).toEqual([]);
    expect(await rowsOf(tenantId, () => callAs(server, machine, 'GET', `${reports}/${reportId}`))).toEqual([
      { actor: id, action: 'report.read', subject: reportId, details: { status: 'complete', withBody: true } },
    ]);
    expect(await rowsOf(tenantId, () => callAs(server, owner, 'GET', reports))).toEqual([
      { actor: owner.userId, action: 'report.listed', subject: tenantId, details: { count: 1 } },
    ]);
    for (const path of [`${reports}/${newId()}`, `${reports}?limit=0`, `${reports}?cursor=x`]) {
      expect(await rowsOf(tenantId, () => callAs(server, machine, 'GET', path))).toEqual([]);
    }
    expect(await rowsOf(tenantId, () => read(owner, tenantId))).toEqual([]);
  });

  test('what the operator does to a credential: one row each, by the operator', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const order = [
      '--tenant',
      tenantId,
      '--owner',
      owner.userId,
      '--name',
      'x',
      '--scopes',
      'reports:read',
      '--test-only',
    ];
    const { stdout } = await runHere(server, 'credential', 'create', ...order, '--json');
    const { clientId } = JSON.parse(stdout) as { clientId: string };
    for (const words of [['disable'], ['enable'], ['rotate', '--grace-hours', '1']]) {
      const [verb = '', ...rest] = words;
      expect((await runHere(server, 'credential', verb, '--credential', clientId, ...rest)).code).toBe(0);
    }
    const third = await runHere(server, 'credential', 'rotate', '--credential', clientId);
    expect(third).toMatchObject({ code: 1, stderr: expect.stringContaining('two live secrets') });
    const lines = await auditOf(server, tenantId);
    expect(lines.map(({ action, actor, subject }) => [action, actor, subject])).toEqual(
      ['created', 'changed', 'changed', 'secret-added'].map((verb) => [`credential.${verb}`, 'operator', clientId]),
    );
    expect(lines[0]?.details).toMatchObject({ isTestOnly: true, scopes: ['reports:read'] });
  });

  test('50 reads at once: 50 rows, and the chain is whole', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const reports = `/${tenantId}/v1/credit-reports`;
    const rows = await rowsOf(tenantId, () =>
      Promise.all(Array.from({ length: 50 }, () => callAs(server, owner, 'GET', reports))),
    );
    expect(rows).toHaveLength(50);
    expect((await runHere(server, 'audit', 'verify', '--tenant', tenantId)).code).toBe(0);
  });

  test('200: finance reads what became of a report, and nothing about the consumer', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const finance = await addPerson(server, tenantId, 'finance');
    const reports = `/${tenantId}/v1/credit-reports`;
    const { data } = await callAs(server, owner, 'POST', reports, generateBody());
    const id = data['creditReportId'];
    const shown = await callAs(server, finance, 'GET', `${reports}/${id}`);
    expect(shown.status).toBe(200);
    expect(shown.data).toEqual({
      status: 'complete',
      creditReportId: id,
      ...{ test: true, createdAt: expect.any(String), externalReference: null, costCredits: 0, source: 'api' },
    });
    expect(shown.reply.text).not.toMatch(/Ada|Example|Mill Lane/);
    const list = await callAs(server, finance, 'GET', reports);
    expect(list.reply.text).not.toMatch(/Ada|Example|Mill Lane/);
    expect((await callAs(server, owner, 'GET', `${reports}/${id}`)).data).toHaveProperty('creditReport');
    // Nor through a credential of theirs.
    const body = { name: 'Ledger', scopes: ['reports:read'], ownerUserId: finance.userId };
    const made = (await callAs(server, owner, 'POST', `/${tenantId}/v1/credentials`, body)).data as {
      id?: string;
      clientSecret?: string;
    };
    const reply = await send(server.baseUrl, {
      method: 'POST',
      path: '/v1/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=client_credentials&client_id=${made.id}&client_secret=${made.clientSecret}`,
    });
    const machine = { token: JSON.parse(reply.text).access_token as string };
    expect((await callAs(server, machine, 'GET', `${reports}/${id}`)).data).not.toHaveProperty('creditReport');
    const reads = (await auditOf(server, tenantId)).filter(({ action }) => action === 'report.read');
    expect(reads.map(({ details }) => details['withBody'])).toEqual([false, true, false]);
  });
});

describe('reading the log', () => {
  test('200: newest first, in pages that meet, each row chained to the one before', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    await fill(tenantId, 23);
    const items: AuditItem[] = [];
    let query = '?limit=5';
    for (let pages = 0; pages < 23; pages += 1) {
      const page = await read(owner, tenantId, query);
      items.push(...page.items);
      if (page.nextCursor === null) break;
      query = `?limit=5&cursor=${page.nextCursor}`;
    }
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 23 }, (_, index) => 23 - index));
    for (const [index, { hash, previousHash, ...row }] of items.entries()) {
      const text = linkText(
        { ...row, tenantId, details: JSON.stringify(row.details) },
        Buffer.from(previousHash, 'hex'),
      );
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
      expect(previousHash).toBe(items[index + 1]?.hash ?? '0'.repeat(64));
    }
  });

  test('200: filters by action, kind of action, actor, subject and time, joined by "and"', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    await fill(tenantId, 2, 'report.read');
    await fill(tenantId, 1, 'report.listed');
    await fill(tenantId, 1, 'reports.other' as AuditAction);
    await callAs(server, owner, 'POST', `/${tenantId}/v1/credentials`, { name: 'x', scopes: ['reports:read'] });
    const [newest] = (await read(owner, tenantId)).items;
    const seqs = async (query: string) => (await read(owner, tenantId, query)).items.map(({ seq }) => seq);
    expect(await seqs('?action=report.read')).toEqual([2, 1]);
    expect(await seqs('?action=report')).toEqual([3, 2, 1]);
    expect(await seqs('?action=credential')).toEqual([5]);
    expect(await seqs('?action=rep%25')).toEqual([]);
    expect(await seqs(`?actor=${owner.userId}`)).toEqual([5]);
    expect(await seqs('?actor=system&action=report.listed')).toEqual([3]);
    expect(await seqs(`?subjectId=${newest?.subjectId}`)).toEqual([5]);
    await server.query('alter table audit_log disable trigger audit_log_append_only');
    await server.query(
      `update audit_log set occurred_at = '2026-01-01T00:00:00Z'::timestamptz + make_interval(days => seq::int)
        where tenant_id = $1`,
      [tenantId],
    );
    await server.query('alter table audit_log enable trigger audit_log_append_only');
    damaged.add(tenantId);
    expect(await seqs('?from=2026-01-03&to=2026-01-05')).toEqual([3, 2]);
    expect(await seqs('?from=2026-01-05T00:00:00Z')).toEqual([5, 4]);
    expect(await seqs('?to=2026-01-02')).toEqual([]);
  });

  test('400: a filter with a character that no text of the database holds', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    for (const filter of ['action=%00', 'actor=a%00b']) {
      const { status, code } = await callAs(server, owner, 'GET', `/${tenantId}/v1/audit?${filter}`);
      expect({ status, code }).toEqual({ status: 400, code: 'validation-error' });
    }
  });

  test('403 without audit:read; 400 for a cursor of one’s own; an empty chain is an empty page', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const developer = await addPerson(server, tenantId, 'developer');
    expect((await callAs(server, developer, 'GET', `/${tenantId}/v1/audit`)).code).toBe('forbidden');
    expect(await read(owner, tenantId)).toEqual({ items: [], nextCursor: null });
    for (const query of ['?cursor=MA', '?cursor=x', '?limit=0', '?subjectId=x', '?from=then']) {
      const { code } = await callAs(server, owner, 'GET', `/${tenantId}/v1/audit${query}`);
      expect(code, query).toBe('validation-error');
    }
  });
});

describe('the verifier', () => {
  const LENGTH = 12;
  type Found = { findings: { tenantId: string; kind: string; seq: number }[]; rows: number; tenants: number };

  async function verify(...options: string[]): Promise<{ code: number; found: Found }> {
    const { code, stdout } = await runHere(server, 'audit', 'verify', ...options, '--json');
    return { code, found: JSON.parse(stdout) };
  }

  /** SQL as somebody who owns the database and means ill. */
  async function damage(tenantId: string, ...statements: string[]): Promise<void> {
    await server.query('alter table audit_log disable trigger audit_log_append_only');
    for (const statement of statements) await server.query(statement, statement.includes('$1') ? [tenantId] : []);
    await server.query('alter table audit_log enable trigger audit_log_append_only');
  }

  async function newChain(): Promise<string> {
    const { tenantId } = await addTenantWithOwner(server);
    await fill(tenantId, LENGTH);
    return tenantId;
  }

  const shiftUp = (seq: number) => [
    `update audit_log set seq = seq + 1000000 where tenant_id = $1 and seq >= ${seq}`,
    'update audit_log set seq = seq - 999999 where tenant_id = $1 and seq > 1000000',
  ];
  const closeGap = (seq: number) => [
    `update audit_log set seq = seq + 1000000 where tenant_id = $1 and seq > ${seq}`,
    'update audit_log set seq = seq - 1000001 where tenant_id = $1 and seq > 1000000',
  ];
  const plant = (seq: number) =>
    `insert into audit_log values ($1, ${seq}, 'system', 'report.read', gen_random_uuid(), '{}', now(), sha256('x'))`;
  const swap = (one: number, other: number) => [
    `update audit_log set seq = 1000000 where tenant_id = $1 and seq = ${one}`,
    `update audit_log set seq = ${one} where tenant_id = $1 and seq = ${other}`,
    `update audit_log set seq = ${other} where tenant_id = $1 and seq = 1000000`,
  ];
  const remove = (seq: number) => `delete from audit_log where tenant_id = $1 and seq = ${seq}`;
  const edit = (seq: number, what: string) => `update audit_log set ${what} where tenant_id = $1 and seq = ${seq}`;

  const rows: [string, string[], string, number][] = [
    ['the first row deleted', [remove(1)], 'deleted', 1],
    ['a row deleted', [remove(6)], 'deleted', 6],
    ['a row deleted and the gap closed', [remove(6), ...closeGap(6)], 'deleted', 6],
    ['the actor of the first row edited', [edit(1, `actor = 'operator'`)], 'edited', 1],
    ['details edited', [edit(6, `details = '{}'`)], 'edited', 6],
    ['details spelled otherwise', [edit(6, `details = (details::text || ' ')::json`)], 'edited', 6],
    ['the time moved by a microsecond', [edit(6, `occurred_at = occurred_at + interval '1 microsecond'`)], 'edited', 6],
    ['the last row edited', [edit(LENGTH, `action = 'report.listed'`)], 'edited', LENGTH],
    ['a hash edited', [edit(6, `hash = sha256('x')`)], 'edited', 6],
    [
      'the hash of another row',
      [edit(6, `hash = (select hash from audit_log where tenant_id = $1 and seq = 5)`)],
      'edited',
      6,
    ],
    [
      'a row of another chain',
      [
        `update audit_log set (actor, action, subject_id, details, occurred_at, hash) =
                (select actor, action, subject_id, details, occurred_at, hash from audit_log
                  where tenant_id <> $1 and seq = 6 limit 1)
          where tenant_id = $1 and seq = 6`,
      ],
      'edited',
      6,
    ],
    ['the first two exchanged', swap(1, 2), 'reordered', 1],
    ['two exchanged far apart', swap(3, 9), 'reordered', 3],
    ['the last two exchanged', swap(LENGTH - 1, LENGTH), 'reordered', LENGTH - 1],
    ['a row before the first', [...shiftUp(1), plant(1)], 'inserted', 1],
    ['a row in the middle', [...shiftUp(6), plant(6)], 'inserted', 6],
    ['a row behind the head', [plant(LENGTH + 1)], 'inserted', LENGTH + 1],
    ['the last row cut off', [remove(LENGTH)], 'truncated', LENGTH],
    ['half of it cut off', ['delete from audit_log where tenant_id = $1 and seq > 6'], 'truncated', 7],
    ['all of it cut off', ['delete from audit_log where tenant_id = $1'], 'truncated', 1],
    ['the head deleted', ['delete from audit_heads where tenant_id = $1'], 'truncated', LENGTH],
  ];
  test.each(rows)('exit code 1: %s', async (_name, statements, kind, seq) => {
    const [tenantId, neighbour] = [await newChain(), await newChain()];
    expect(await verify('--tenant', tenantId)).toMatchObject({ code: 0, found: { rows: LENGTH, findings: [] } });
    await damage(tenantId, ...statements);
    damaged.add(tenantId);
    const { code, found } = await verify('--tenant', tenantId);
    expect(code).toBe(1);
    expect(found.findings[0]).toMatchObject({ tenantId, kind, seq });
    expect((await verify('--tenant', neighbour)).code).toBe(0);
  });

  test('all chains at once: the damaged ones are named, with words for people, and no other', async () => {
    const tenantId = await newChain();
    await damage(tenantId, edit(3, `actor = 'operator'`));
    damaged.add(tenantId);
    const { code, stdout } = await runHere(server, 'audit', 'verify');
    expect(code).toBe(1);
    expect(stdout).toContain(`${tenantId}  3`);
    expect(stdout).toMatch(/edited +row 3 was changed/);
    const { found } = await verify();
    expect(new Set(found.findings.map((each) => each.tenantId))).toEqual(damaged);
  });

  test('exit code 0: a clean chain of thousands of rows, and one that grows meanwhile', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    await fill(tenantId, 7_000);
    expect(await verify('--tenant', tenantId)).toMatchObject({ code: 0, found: { rows: 7_000, findings: [] } });
    let isDone = false;
    const growing = (async () => {
      // Bounded: a chain that grows faster than it is verified would never be done.
      for (let lots = 0; lots < 50 && !isDone; lots += 1) await fill(tenantId, 100);
    })();
    for (let count = 0; count < 5; count += 1) expect((await verify('--tenant', tenantId)).code).toBe(0);
    isDone = true;
    await growing;
  }, 120_000);

  test('anchors show what the chain alone cannot: an end cut off with its head, and a chain gone', async () => {
    const [cut, gone] = [await newChain(), await newChain()];
    const path = join(folder, 'anchors.json');
    expect((await runHere(server, 'audit', 'anchor', '--out', path)).code).toBe(0);
    const again = await runHere(server, 'audit', 'anchor', '--out', path);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('EEXIST') });
    const { anchors } = JSON.parse(await readFile(path, 'utf8')) as { anchors: { tenantId: string; seq: number }[] };
    expect(anchors.find(({ tenantId }) => tenantId === cut)?.seq).toBe(LENGTH);
    await fill(cut, 3);
    expect((await verify('--tenant', cut, '--anchor', path)).code).toBe(0);
    await damage(
      cut,
      'delete from audit_log where tenant_id = $1 and seq > 9',
      `update audit_heads set seq = 9, hash = (select hash from audit_log where tenant_id = $1 and seq = 9)
        where tenant_id = $1`,
    );
    await damage(gone, 'delete from audit_log where tenant_id = $1', 'delete from audit_heads where tenant_id = $1');
    for (const tenantId of [cut, gone]) {
      expect((await verify('--tenant', tenantId)).code).toBe(0);
      const { code, found } = await verify('--tenant', tenantId, '--anchor', path);
      expect(code).toBe(1);
      expect(found.findings).toMatchObject([{ kind: 'truncated', seq: tenantId === cut ? 10 : 1 }]);
    }
  });

  test('exit code 1 and a sentence: a file that is no anchor file; nothing is verified', async () => {
    const path = join(folder, 'other.json');
    for (const text of ['', 'x', '{}', '{"anchors":[]}', '{"anchors":[{"tenantId":"x","seq":1,"hash":"y"}]}']) {
      await writeFile(path, text);
      const { code, stdout, stderr } = await runHere(server, 'audit', 'verify', '--anchor', path);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('--anchor');
    }
  });
});
