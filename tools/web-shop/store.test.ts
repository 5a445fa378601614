// The store of examples/web-shop: what a consumer typed is deleted in time, without a visitor or a member of staff.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Asking, openStore } from '../../examples/web-shop/store.ts';

const HOUR_MS = 60 * 60_000;
const asking = { request: { firstName: 'Ines' }, form: { firstName: 'Ines' } } as unknown as Asking;

let folder: string;
let path: string;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  folder = mkdtempSync(join(tmpdir(), 'trefoil-web-shop-store-'));
  path = join(folder, 'shop.sqlite');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

function makeOld(id: string, hours: number): void {
  const database = new DatabaseSync(path);
  const createdAt = new Date(Date.now() - hours * HOUR_MS).toISOString();
  database.prepare('update orders set createdAt = ? where id = ?').run(createdAt, id);
  database.close();
}

function keptRequests(): unknown[] {
  const database = new DatabaseSync(path);
  const rows = database.prepare('select id from orders where request is not null order by id').all();
  database.close();
  return rows.map(({ id }) => id);
}

test('a request that is too old to be repeated is not found, before it is deleted', () => {
  const store = openStore(path);
  for (const id of ['new', 'old']) store.insertOrder(id, 'visitor', asking);
  makeOld('new', 22.9);
  makeOld('old', 23.1);
  expect(store.findRequest('new')).toEqual(asking);
  expect(store.findOrder('new')).toMatchObject({ hasRequest: 1 });
  expect(store.findRequest('old')).toBeUndefined();
  expect(store.findOrder('old')).toMatchObject({ hasRequest: 0 });
  expect(keptRequests()).toEqual(['new', 'old']);
});

test('old requests are deleted every hour', () => {
  const store = openStore(path);
  for (const id of ['new', 'old']) store.insertOrder(id, 'visitor', asking);
  makeOld('old', 23.1);
  vi.advanceTimersByTime(HOUR_MS);
  expect(keptRequests()).toEqual(['new']);
});

test('old requests are deleted at the start', () => {
  const store = openStore(path);
  for (const id of ['new', 'old']) store.insertOrder(id, 'visitor', asking);
  makeOld('old', 23.1);
  openStore(path);
  expect(keptRequests()).toEqual(['new']);
});

test('refused webhooks are one row for each kind of mistake', () => {
  const store = openStore(path);
  for (const mistake of ['secret-wrong', 'headers-missing', 'secret-wrong']) store.countRefusal(mistake);
  expect(store.listRefusals()).toMatchObject([
    { mistake: 'headers-missing', times: 1 },
    { mistake: 'secret-wrong', times: 2 },
  ]);
});
