// The events of a tenant over HTTP: pages, filters, other tenants, cursors, and events that are too old to be kept.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { appendEvents, type NewEvent } from '../../src/events/append-events.ts';
import { OUTBOX } from '../../src/events/jobs.ts';
import { readNames } from '../../src/events/name-events.ts';
import { newId } from '../../src/lib/ids.ts';
import { forgetNow } from '../../src/lib/postgres/retention.ts';
import { startServer, type TestServer } from '../harness.ts';
import { readAll } from '../support/events.ts';
import { grave } from '../support/grave.ts';
import { addPerson, addTenantWithOwner, callAs, type TestPerson } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Changes = Partial<Omit<NewEvent, 'tenantId'>>;
const write = (tenantId: string, ...events: Changes[]) =>
  server.database.forTenants([tenantId], (tx) =>
    appendEvents(
      tx,
      events.map((event) => ({
        ...({ tenantId, type: 'report.completed', subjectId: newId(), creditReportId: newId(), amount: 5 } as const),
        ...event,
      })),
    ),
  );

type Page = {
  items: { id: string; type: string; test: boolean; data: { creditReportId?: string; amount?: number } }[];
  nextCursor: string;
  hasMore: boolean;
};

async function page(person: TestPerson, tenantId: string, query = ''): Promise<Page> {
  const { status, data } = await callAs(server, person, 'GET', `/${tenantId}/v1/events${query}`);
  expect(status).toBe(200);
  return data as unknown as Page;
}

/** A tenant of its own, whose events are readable. */
async function tenantWith(...events: Changes[]) {
  const { tenantId, owner } = await addTenantWithOwner(server);
  for (const event of events) await write(tenantId, event);
  await eventually(async () => {
    expect((await page(owner, tenantId, '?limit=200')).items.length).toBe(Math.min(200, events.length));
  });
  return { tenantId, owner };
}

/** Seven events in pages of three: how many each has, and whether there are more. */
const THREE_PAGES = [
  [3, true],
  [3, true],
  [1, false],
];

describe('pages', () => {
  test('all events once, oldest first, however small the pages; the last cursor continues with what comes later', async () => {
    const ids = Array.from({ length: 7 }, newId);
    const { tenantId, owner } = await tenantWith(...ids.map((creditReportId) => ({ creditReportId })));
    const seen: (string | undefined)[] = [];
    let cursor = '';
    const sizes: [number, boolean][] = [];
    while (sizes.length < 3) {
      const { items, nextCursor, hasMore } = await page(owner, tenantId, `?limit=3${cursor}`);
      sizes.push([items.length, hasMore]);
      seen.push(...items.map(({ data }) => data.creditReportId));
      cursor = `&cursor=${nextCursor}`;
    }
    await grave('events', () => expect(seen).toEqual(ids));
    expect(sizes).toEqual(THREE_PAGES);
    const late = newId();
    await write(tenantId, { creditReportId: late });
    await eventually(async () => {
      const { items } = await page(owner, tenantId, `?limit=3${cursor}`);
      expect(items.map(({ data }) => data.creditReportId)).toEqual([late]);
    });
  });

  test('an empty feed has a cursor too', async () => {
    const { tenantId, owner } = await tenantWith();
    const { items, nextCursor, hasMore } = await page(owner, tenantId);
    expect([items, hasMore]).toEqual([[], false]);
    await write(tenantId, {});
    await eventually(async () => {
      expect((await page(owner, tenantId, `?cursor=${nextCursor}`)).items.length).toBe(1);
    });
  });

  test('400 validation-error: a cursor, a type or a time that is none', async () => {
    const { tenantId, owner } = await tenantWith();
    const bad = [
      'cursor=x',
      'type=nothing',
      'type=report.completed',
      'type=',
      'from=yesterday',
      'test=yes',
      'wait=21',
      'wait=-1',
      'limit=0',
      'creditReportId=7',
      `cursor=${Buffer.from('1.2.3').toString('base64url')}`,
    ];
    for (const query of bad) {
      const { status, code } = await callAs(server, owner, 'GET', `/${tenantId}/v1/events?${query}`);
      expect([query, status, code]).toEqual([query, 400, 'validation-error']);
    }
  });

  test('403 forbidden: without the scope events:read', async () => {
    const { tenantId } = await tenantWith();
    for (const role of ['finance', 'analyst'] as const) {
      const person = await addPerson(server, tenantId, role);
      expect((await callAs(server, person, 'GET', `/${tenantId}/v1/events`)).code, role).toBe('forbidden');
    }
    const developer = await addPerson(server, tenantId, 'developer');
    expect((await callAs(server, developer, 'GET', `/${tenantId}/v1/events`)).status).toBe(200);
  });
});

describe('order=newest', () => {
  test('all events once, newest first, page by page; its cursor continues with older ones, and with newer ones without order', async () => {
    const ids = Array.from({ length: 7 }, newId);
    const { tenantId, owner } = await tenantWith(...ids.map((creditReportId) => ({ creditReportId })));
    const seen: (string | undefined)[] = [];
    let cursor = '';
    const sizes: [number, boolean][] = [];
    while (sizes.length < 3) {
      const { items, nextCursor, hasMore } = await page(owner, tenantId, `?order=newest&limit=3${cursor}`);
      sizes.push([items.length, hasMore]);
      seen.push(...items.map(({ data }) => data.creditReportId));
      cursor = `&cursor=${nextCursor}`;
    }
    await grave('events', () => expect(seen).toEqual(ids.toReversed()));
    expect(sizes).toEqual(THREE_PAGES);
    expect(await page(owner, tenantId, `?order=newest${cursor}`)).toMatchObject({ items: [], hasMore: false });
    // The cursor stands at the oldest of them: the feed goes on after it.
    const onwards = await page(owner, tenantId, `?limit=200${cursor}`);
    expect(onwards.items.map(({ data }) => data.creditReportId)).toEqual(ids.slice(1));
    const { items } = await page(owner, tenantId, '?order=newest&cursor=end&limit=1');
    expect(items.map(({ data }) => data.creditReportId)).toEqual(ids.slice(-1));
  });

  test('filters hold, live and test apart; a report among many events of others is found, and the look ends at its age', async () => {
    const [report, other] = [newId(), newId()];
    const { tenantId, owner } = await tenantWith(
      { creditReportId: report },
      { creditReportId: other, isTest: true },
      { creditReportId: report, type: 'report.failed' },
      { creditReportId: other },
    );
    const of = async (query: string) =>
      (await page(owner, tenantId, `?order=newest&${query}`)).items.map(({ type, data }) => [
        type,
        data.creditReportId,
      ]);
    expect(await of(`creditReportId=${report}`)).toEqual([
      ['credit-report.failed', report],
      ['credit-report.completed', report],
    ]);
    expect(await of('test=true')).toEqual([['credit-report.completed', other]]);
    expect(await of('type=credit-report.failed')).toEqual([['credit-report.failed', report]]);
    expect(await of('to=2020-01-01')).toEqual([]);
    expect(await of('from=2020-01-01&test=false')).toHaveLength(3);
    await server.query(
      `insert into outbox (tenant_id, type, subject_id, amount, is_test, created_at)
       select $1, 'wallet.charged', gen_random_uuid(), 1, false, now() - interval '2 days' from generate_series(1, 10001)`,
      [tenantId],
    );
    await eventually(async () => {
      // The newest rows are older than the report can be: nothing before them is looked at.
      const [newest] = (await page(owner, tenantId, '?order=newest&limit=1')).items;
      expect(newest?.type).toBe('wallet.charged');
    });
    expect(await page(owner, tenantId, `?order=newest&creditReportId=${newId()}`)).toMatchObject({
      ...{ items: [], hasMore: false },
    });
  });

  test('400 with wait; an event whose transaction still runs is not there, nor one that was committed after it', async () => {
    const { tenantId, owner } = await tenantWith({});
    const refused = await callAs(server, owner, 'GET', `/${tenantId}/v1/events?order=newest&wait=5`);
    expect([refused.status, refused.code]).toEqual([400, 'validation-error']);
    await server.database.forTenants([tenantId], async (tx) => {
      const id = newId();
      await appendEvents(tx, [{ tenantId, type: 'report.completed', subjectId: id, creditReportId: id, amount: 5 }]);
      await write(tenantId, {});
      expect((await page(owner, tenantId, '?order=newest')).items).toHaveLength(1);
    });
    await eventually(async () => {
      expect((await page(owner, tenantId, '?order=newest')).items).toHaveLength(3);
    });
  });
});

const LAST_PLACE = `select xact_id || '.' || id as place from outbox where tenant_id = $1 order by xact_id desc, id desc limit 1`;

describe('cursor=end', () => {
  const reportsAfter = async (owner: TestPerson, tenantId: string, cursor: string) =>
    (await page(owner, tenantId, `?cursor=${cursor}`)).items.map(({ data }) => data.creditReportId);

  test('after many events of other types, one request finds the end, and what happens then is there', async () => {
    const { tenantId, owner } = await tenantWith({});
    await server.query(
      `insert into outbox (tenant_id, type, subject_id, amount, is_test)
       select $1, 'wallet.charged', gen_random_uuid(), 1, n % 2 = 0 from generate_series(1, 60000) as n`,
      [tenantId],
    );
    const walk = async (cursor: string) => (await page(owner, tenantId, `?type=credit-report&${cursor}`)).hasMore;
    await eventually(async () => {
      // All can be read once the end is the last of them.
      const { items, nextCursor, hasMore } = await page(owner, tenantId, '?test=true&cursor=end');
      expect([items, hasMore, await walk(`cursor=${nextCursor}`)]).toEqual([[], false, false]);
      const [last] = await server.query<{ place: string }>(LAST_PLACE, [tenantId]);
      const { place } = (await server.database.asSystem(readNames)).readPlace(nextCursor);
      expect(`${place.xactId}.${place.id}`).toBe(last?.place);
    });
    // Without it a reader has to walk.
    expect(await walk('limit=1')).toBe(true);
    const { nextCursor } = await page(owner, tenantId, '?cursor=end');
    const late = newId();
    await write(tenantId, { creditReportId: late });
    await eventually(async () => expect(await reportsAfter(owner, tenantId, nextCursor)).toEqual([late]));
  });

  test('events whose transactions run at that moment are not missed, nor those committed after them', async () => {
    const { tenantId, owner } = await tenantWith({});
    const [slow, quick] = [newId(), newId()];
    let cursor = '';
    await server.database.forTenants([tenantId], async (tx) => {
      const event = { tenantId, type: 'report.completed', subjectId: slow, creditReportId: slow, amount: 5 } as const;
      await appendEvents(tx, [event]);
      await write(tenantId, { creditReportId: quick });
      cursor = (await page(owner, tenantId, '?cursor=end')).nextCursor;
    });
    await eventually(async () => expect((await page(owner, tenantId)).items).toHaveLength(3));
    const reports = await reportsAfter(owner, tenantId, cursor);
    await grave('events', () => expect([reports.length, new Set(reports)]).toEqual([2, new Set([slow, quick])]));
  });

  test('in an empty feed it is the beginning', async () => {
    const { tenantId, owner } = await tenantWith();
    const { items, nextCursor } = await page(owner, tenantId, '?cursor=end');
    expect(items).toEqual([]);
    const first = newId();
    await write(tenantId, { creditReportId: first });
    await eventually(async () => expect(await reportsAfter(owner, tenantId, nextCursor)).toEqual([first]));
  });

  test('with wait the request waits for the next event', async () => {
    const { tenantId, owner } = await tenantWith();
    const written: (string | null)[] = [];
    let isOver = false;
    const waiting = page(owner, tenantId, '?cursor=end&wait=15').finally(() => {
      isOver = true;
    });
    // The first of these may be committed before the request looks for the end.
    await eventually(async () => {
      const id = newId();
      written.push(id);
      await write(tenantId, { creditReportId: id });
      expect(isOver).toBe(true);
    });
    const [next] = (await waiting).items;
    expect(written).toContain(next?.data.creditReportId);
  });
});

describe('filters', () => {
  test('by type, by kind, by several; by report; by test mode', async () => {
    const report = newId();
    const { tenantId, owner } = await tenantWith(
      { creditReportId: report, subjectId: report },
      { type: 'challenge.sent', creditReportId: report, challengeId: newId(), isTest: true },
      { type: 'wallet.low', creditReportId: null, amount: 100, balance: 50 },
      { type: 'report.failed' },
    );
    const typesOf = async (query: string) => (await page(owner, tenantId, query)).items.map(({ type }) => type);
    expect(await typesOf('?type=wallet.low')).toEqual(['wallet.low']);
    expect(await typesOf('?type=credit-report')).toEqual(['credit-report.completed', 'credit-report.failed']);
    expect(await typesOf('?type=challenge,wallet.low')).toEqual(['challenge.sent', 'wallet.low']);
    expect(await typesOf(`?creditReportId=${report.toUpperCase()}`)).toEqual([
      'credit-report.completed',
      'challenge.sent',
    ]);
    expect(await typesOf(`?creditReportId=${newId()}`)).toEqual([]);
    expect(await typesOf('?test=true')).toEqual(['challenge.sent']);
    expect((await typesOf('?test=false')).length).toBe(3);
    expect(await typesOf(`?creditReportId=${report}&test=true&type=wallet`)).toEqual([]);
  });

  test('by time: from is inclusive, to is exclusive', async () => {
    const { tenantId, owner } = await tenantWith({}, {}, {}, {});
    const times = ['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z', '2026-03-02T00:00:00Z'];
    const rows = await server.query<{ id: string }>('select id from outbox where tenant_id = $1 order by id', [
      tenantId,
    ]);
    for (const [place, { id }] of rows.entries()) {
      await server.query('update outbox set created_at = $2 where id = $1', [id, times[place]]);
    }
    const count = async (query: string) => (await page(owner, tenantId, query)).items.length;
    expect(await count('?from=2026-03-01T11:00:00Z')).toBe(3);
    expect(await count('?to=2026-03-01T11:00:00Z')).toBe(1);
    expect(await count('?from=2026-03-01T11:00:00Z&to=2026-03-02')).toBe(2);
    expect(await count('?from=2026-03-02T00:00:01Z')).toBe(0);
  });

  test('a rare type in many events: short pages, each with a cursor that continues, and nothing missed', async () => {
    const { tenantId, owner } = await tenantWith({ type: 'wallet.low', creditReportId: null });
    await server.query(
      `insert into outbox (tenant_id, type, subject_id, amount)
       select $1, 'wallet.charged', gen_random_uuid(), 1 from generate_series(1, 25000)`,
      [tenantId],
    );
    await write(tenantId, { type: 'wallet.low', creditReportId: null });
    await eventually(async () => {
      const [newest] = (await page(owner, tenantId, '?order=newest&limit=1')).items;
      expect(newest?.type).toBe('wallet.low');
    });
    const seen: string[] = [];
    let [cursor, count, more] = ['', 0, true];
    while (more) {
      const { items, nextCursor, hasMore } = await page(owner, tenantId, `?type=wallet.low${cursor}`);
      seen.push(...items.map(({ id }) => id));
      [cursor, count, more] = [`&cursor=${nextCursor}`, count + 1, hasMore];
    }
    await grave('events', () => expect([seen.length, new Set(seen).size]).toEqual([2, 2]));
    expect(count).toBe(3);
  });

  test('a search by time begins near that time, in a feed of any length', async () => {
    const { tenantId, owner } = await tenantWith();
    // 300 old transactions of 100 events, each at one instant. A database server has had more by the time it can be asked.
    await server.query(
      `insert into outbox (tenant_id, type, subject_id, amount, created_at, xact_id)
       select $1, 'wallet.charged', gen_random_uuid(), n, now() - interval '29 days' + (n / 100) * interval '100 minutes',
              (1 + n / 100)::text::xid8
         from generate_series(1, 30000) as n`,
      [tenantId],
    );
    // Halfway between two transactions, so that it does not matter how long the insert took.
    const from = new Date(Date.now() - 29 * 86_400_000 + 24_950 * 60_000).toISOString();
    await eventually(async () => {
      const { items } = await page(owner, tenantId, `?from=${from}&limit=1`);
      expect(items.map(({ data }) => data.amount)).toEqual([-25_000]);
    });
  });
});

test('404 or 403 for another tenant; a cursor of another tenant shows nothing of it', async () => {
  const mine = await tenantWith({}, {});
  const other = await tenantWith({}, {}, {});
  expect((await callAs(server, mine.owner, 'GET', `/${other.tenantId}/v1/events`)).status).toBe(403);
  const { nextCursor } = await page(other.owner, other.tenantId, '?limit=1');
  const { items } = await page(mine.owner, mine.tenantId, `?cursor=${nextCursor}`);
  await grave('another tenant', () => expect(items).toEqual([]));
  const all = await server.query<{ count: string }>('select count(*) from outbox where tenant_id = $1', [
    mine.tenantId,
  ]);
  expect((await page(mine.owner, mine.tenantId)).items.length).toBe(Number(all[0]?.count));
});

describe('30 days', () => {
  test('older events are deleted in batches, newer ones stay, and an old cursor continues with the oldest that is kept', async () => {
    const { tenantId, owner } = await tenantWith({});
    const { nextCursor } = await page(owner, tenantId);
    await server.query(
      `insert into outbox (tenant_id, type, subject_id, created_at)
       select $1, 'wallet.charged', gen_random_uuid(), now() - interval '30 days 1 minute' from generate_series(1, 2500)`,
      [tenantId],
    );
    // A table that is all old and one event that is not, in front of them.
    await server.query(
      `update outbox set created_at = now() - interval '31 days' where created_at > now() - interval '30 days'`,
    );
    const kept = newId();
    await write(tenantId, { creditReportId: kept });
    expect(await forgetNow(server.database.jobs, [OUTBOX])).toBeGreaterThanOrEqual(2_501);
    const left = await server.query<{ report: string }>(
      'select credit_report_id as report from outbox where tenant_id = $1',
      [tenantId],
    );
    expect(left).toEqual([{ report: kept }]);
    await eventually(async () => {
      const { items } = await page(owner, tenantId, `?cursor=${nextCursor}`);
      expect(items.map(({ data }) => data.creditReportId)).toEqual([kept]);
    });
    expect(await server.database.asSystem(OUTBOX.findOverdueSeconds)).toBe(0);
  });
});

test('the SDK reads all pages', async () => {
  await write(server.demo.tenantId, {}, {}, {});
  await eventually(async () => expect((await readAll(server.trefoil, { limit: 1 })).length).toBeGreaterThanOrEqual(3));
});
