// Lists: one page with await, everything with for await.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { answer, hangUp, refuse, startFailingServer, tenantId } from './failing-server.ts';
import { createTrefoil, type Trefoil } from './index.ts';
import { endPauseBy, TIMERS } from './test-clock.ts';

const endPause = endPauseBy((ms) => vi.advanceTimersByTime(ms));
let server: Awaited<ReturnType<typeof startFailingServer>>;
let trefoil: Trefoil;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: [...TIMERS] });
  server = await startFailingServer();
  trefoil = createTrefoil({ baseUrl: server.baseUrl, tenantId, getToken: async () => 't', hooks: { retry: endPause } });
});
afterAll(() => {
  server.close();
  vi.useRealTimers();
});
beforeEach(() => server.reset());

const page = (items: object[], nextCursor: string | null, hasMore?: boolean) =>
  answer({ meta: {}, data: { items, nextCursor, hasMore } });
const pages = () => [
  page([{ creditReportId: '1' }, { creditReportId: '2' }], 'a'),
  page([], 'b'),
  page([{ creditReportId: '3' }], null),
];

test('for await: all items of all pages, with the filter in each call', async () => {
  server.state.fates = pages();
  const ids: string[] = [];
  for await (const { creditReportId } of trefoil.listReports({ status: 'failed', limit: 2 })) ids.push(creditReportId);
  expect(ids).toEqual(['1', '2', '3']);
  const path = `/${tenantId}/v1/credit-reports?status=failed&limit=2`;
  expect(server.asked().map(({ url }) => url)).toEqual([path, `${path}&cursor=a`, `${path}&cursor=b`]);
});

test('await: one page', async () => {
  server.state.fates = pages();
  const { data } = await trefoil.listReports();
  expect(data).toMatchObject({ items: [{ creditReportId: '1' }, { creditReportId: '2' }], nextCursor: 'a' });
  expect(server.asked()).toHaveLength(1);
});

test('pages(): every page with its cursor, also one without items; a loop that is left asks for no further page', async () => {
  server.state.fates = pages();
  const cursors: (string | null)[] = [];
  for await (const { data } of trefoil.listReports().pages()) cursors.push(data.nextCursor);
  expect(cursors).toEqual(['a', 'b', null]);
  server.reset();
  server.state.otherwise = page([{ id: 'evt_1' }], 'z', false);
  for await (const { data } of trefoil.listEvents({ wait: 20, cursor: 'y' }).pages()) {
    expect(data).toMatchObject({ items: [{ id: 'evt_1' }], nextCursor: 'z' });
    break;
  }
  expect(server.asked()).toHaveLength(1);
});

test('a loop that is left asks for no further page', async () => {
  server.state.fates = pages();
  for await (const _ of trefoil.listWalletEntries()) break;
  expect(server.asked()).toHaveLength(1);
});

test('events: without wait the loop ends where there are no more, with wait it goes on', async () => {
  const ids: string[] = [];
  // As the service answers a wait: the page without events comes when the wait is over.
  const waited: ReturnType<typeof page> = (response, asked) => {
    vi.advanceTimersByTime(20_000);
    page([], 'b', false)(response, asked);
  };
  server.state.fates = [page([], 'y', true), page([{ id: 'evt_1' }], 'a', false), page([{ id: 'evt_2' }], 'b', false)];
  for await (const { id } of trefoil.listEvents({ test: true })) ids.push(id);
  expect(ids).toEqual(['evt_1']);
  for await (const { id } of trefoil.listEvents({ test: true, wait: 20, cursor: 'a' })) {
    ids.push(id);
    server.state.fates = [waited, page([{ id: 'evt_3' }], 'c', false)];
    if (ids.length === 3) break;
  }
  expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3']);
  const path = `/${tenantId}/v1/events?test=true&wait=20&cursor=`;
  expect(
    server
      .asked()
      .map(({ url }) => url)
      .slice(2),
  ).toEqual([`${path}a`, `${path}b`, `${path}b`]);
});

test('events: a wait that the service answers at once without an event is not repeated without a pause', async () => {
  const controller = new AbortController();
  const askedAtMs: number[] = [];
  // As it answers when too many requests of the tenant wait already. Without a server, whose answers take turns of their own.
  const fetch = async () => {
    askedAtMs.push(performance.now());
    // A loop without a pause would never leave its turn.
    if (askedAtMs.length === 10) controller.abort(new Error('enough'));
    return Response.json({ meta: {}, data: { items: [], nextCursor: 'a', hasMore: false } });
  };
  const busy = createTrefoil({ baseUrl: server.baseUrl, tenantId, getToken: async () => 't', fetch });
  const loop = async () => {
    for await (const _ of busy.listEvents({ wait: 20 }, { signal: controller.signal }))
      expect.fail('no event is there');
  };
  const ended = expect(loop()).rejects.toThrow('enough');
  for (let ms = 0; ms < 2_500; ms += 100) await vi.advanceTimersByTimeAsync(100);
  controller.abort(new Error('enough'));
  await ended;
  const [first = 0] = askedAtMs;
  expect(askedAtMs.map((atMs) => atMs - first)).toEqual([0, 1_000, 2_000]);
});

test('events from the end, with wait: the end is asked for first, so that a wait that is lost loses no event', async () => {
  server.state.fates = [page([], 'a', false), hangUp, page([{ id: 'evt_1' }], 'b', false)];
  const { data } = await trefoil.listEvents({ test: true, wait: 20, cursor: 'end' });
  expect(data).toMatchObject({ items: [{ id: 'evt_1' }], nextCursor: 'b' });
  const path = `/${tenantId}/v1/events?test=true`;
  const waited = `${path}&wait=20&cursor=a`;
  expect(server.asked().map(({ url }) => url)).toEqual([`${path}&cursor=end`, waited, waited]);
});

test('events: a page with events, and one without wait, are followed at once; wait 0 is none', async () => {
  server.state.otherwise = page([], 'z', false);
  for (const query of [{}, { wait: 0 }])
    for await (const _ of trefoil.listEvents(query)) expect.fail('no event is there');
  server.state.fates = Array.from({ length: 5 }, (_, place) => page([{ id: `evt_${place}` }], `${place}`, false));
  const startedAtMs = performance.now();
  for await (const { id } of trefoil.listEvents({ wait: 20 })) if (id === 'evt_4') break;
  // A pause would stop the loop: nothing here moves its clock.
  expect(performance.now()).toBe(startedAtMs);
  expect(server.asked()).toHaveLength(7);
});

test('a page that is refused ends the loop with the error', async () => {
  server.state.fates = [page([{ creditReportId: '1' }], 'a'), refuse(403, 'forbidden')];
  const ids: string[] = [];
  const all = async () => {
    for await (const { creditReportId } of trefoil.listReports()) ids.push(creditReportId);
  };
  await expect(all()).rejects.toMatchObject({ code: 'forbidden' });
  expect(ids).toEqual(['1']);
});
