// Sealed columns and data keys moved by someone who can write to the database: a moved value must not open, and the
// answer must say nothing but that we failed.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { readError, send } from '../support/wire.ts';

type Report = {
  readonly tenantId: string;
  readonly creditReportId: string;
  readonly name: string;
  readonly key: string;
};

let server: TestServer;
let mine: Report;
let mineToo: Report;
let theirs: Report;

beforeAll(async () => {
  server = await startServer();
});
/** Each test has reports of its own: some of them damage all that there are. */
let round = 0;
beforeEach(async () => {
  round += 1;
  mine = await completeReport(`mine-${round}`);
  mineToo = await completeReport(`mine-too-${round}`);
  theirs = await completeReport(`theirs-${round}`);
});
afterAll(() => server.close());

const isTheirs = (key: string) => key.startsWith('theirs');
const clientOf = (key: string) => (isTheirs(key) ? server.otherTrefoil : server.trefoil);
const bodyOf = (name: string) => generateBody({ lastName: `Lastname-${name}` });

async function completeReport(key: string): Promise<Report> {
  const { data } = await clientOf(key).generate(bodyOf(key), { idempotencyKey: key });
  const { tenantId } = isTheirs(key) ? server.other : server.demo;
  return { tenantId, creditReportId: data.creditReportId, name: `Lastname-${key}`, key };
}

/** The same request with the same key: the report is opened again from its sealed column. */
async function replay({ key, tenantId }: Report) {
  return send(server.baseUrl, {
    method: 'POST',
    path: `/${tenantId}/v1/credit-reports`,
    headers: {
      authorization: `Bearer ${await clientOf(key).getToken()}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(bodyOf(key)),
  });
}

function copy(table: 'credit_reports' | 'data_keys', column: string, from: Report, to: Report, fromColumn = column) {
  const id = table === 'credit_reports' ? 'id' : 'credit_report_id';
  return server.query(
    `update ${table} set ${column} = (select ${fromColumn} from ${table} where tenant_id = $1 and ${id} = $2)
      where tenant_id = $3 and ${id} = $4`,
    [from.tenantId, from.creditReportId, to.tenantId, to.creditReportId],
  );
}

async function copyAll(from: Report, to: Report): Promise<void> {
  await copy('data_keys', 'wrapped_key', from, to);
  for (const column of ['sealed_request', 'sealed_report', 'sealed_provenance']) {
    await copy('credit_reports', column, from, to);
  }
}

test('200: an untouched report replays, marked as a replay', async () => {
  const reply = await replay(mine);
  expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(reply.text).toContain(mine.name);
});

const moves: Record<string, () => Promise<unknown>> = {
  'the report of another row': () => copy('credit_reports', 'sealed_report', mineToo, mine),
  'the report of another tenant': () => copy('credit_reports', 'sealed_report', theirs, mine),
  'the request in the place of the report': () => copy('credit_reports', 'sealed_report', mine, mine, 'sealed_request'),
  'the data key of another row': () => copy('data_keys', 'wrapped_key', mineToo, mine),
  'the data key and the report of another row': async () => {
    await copy('data_keys', 'wrapped_key', mineToo, mine);
    await copy('credit_reports', 'sealed_report', mineToo, mine);
  },
  'the data key and the report of another tenant': async () => {
    await copy('data_keys', 'wrapped_key', theirs, mine);
    await copy('credit_reports', 'sealed_report', theirs, mine);
  },
  // Nothing is left then that was sealed with the own key: only the binding to tenant and row refuses it.
  'the data key of another row and all that it sealed': () => copyAll(mineToo, mine),
  'the data key of another tenant and all that it sealed': () => copyAll(theirs, mine),
  'a report with one bit changed': () =>
    server.query(
      `update credit_reports set sealed_report = set_bit(sealed_report, 200, 1 - get_bit(sealed_report, 200))`,
    ),
  'a report cut short': () => server.query(`update credit_reports set sealed_report = substr(sealed_report, 1, 20)`),
  'an empty report': () => server.query(`update credit_reports set sealed_report = ''`),
  'a key id that is not in the ring': () => server.query(`update data_keys set ring_key_id = 'unknown'`),
};

test.each(Object.entries(moves))('500 internal-error on a replay: %s', async (_name, move) => {
  await move();
  const reply = await replay(mine);
  expect(readError(reply)).toMatchObject({ code: 'internal-error' });
  expect(reply.text).not.toContain('Lastname');
  expect(server.logText()).not.toContain('Lastname');
});

describe('a challenge', () => {
  async function complete(report: { creditReportId: string; challengeId: string }) {
    return send(server.baseUrl, {
      method: 'POST',
      path: `/${server.demo.tenantId}/v1/credit-reports/${report.creditReportId}/otp-challenge`,
      headers: { authorization: `Bearer ${await server.trefoil.getToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ challengeId: report.challengeId, code: '123456' }),
    });
  }
  const asReport = (creditReportId: string): Report => ({ ...mine, creditReportId });

  test('500 internal-error: a request moved from another row is not completed, and the right one still can be', async () => {
    const challenge = await startChallenge(server.trefoil, { lastName: 'Lastname-challenged' });
    const target = asReport(challenge.creditReportId);
    const [kept] = await server.query<{ sealed: Buffer }>(
      'select sealed_request as sealed from credit_reports where id = $1',
      [challenge.creditReportId],
    );
    for (const source of [mineToo, theirs]) {
      await copy('credit_reports', 'sealed_request', source, target);
      const reply = await complete(challenge);
      expect(readError(reply).code).toBe('internal-error');
      expect(reply.text).not.toContain('Lastname');
    }
    await server.query('update credit_reports set sealed_request = $2 where id = $1', [
      challenge.creditReportId,
      kept?.sealed,
    ]);
    const reply = await complete(challenge);
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('Lastname-challenged');
  });

  test('410 credit-report-purged: a challenge whose data key is gone', async () => {
    const challenge = await startChallenge(server.trefoil);
    await server.query('delete from data_keys where credit_report_id = $1', [challenge.creditReportId]);
    expect(readError(await complete(challenge)).code).toBe('credit-report-purged');
  });
});

test('410 credit-report-purged: a replay after the data key is deleted, and only of that report', async () => {
  await server.query('delete from data_keys where credit_report_id = $1', [mine.creditReportId]);
  expect(readError(await replay(mine)).code).toBe('credit-report-purged');
  expect((await replay(mineToo)).status).toBe(200);
});
