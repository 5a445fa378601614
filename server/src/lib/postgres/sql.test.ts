import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadLocalServers } from '../../config.ts';
import { packBytes, sql } from './sql.ts';

const client = new Client({ connectionString: loadLocalServers().adminUrl });
beforeAll(() => client.connect());
afterAll(() => client.end());

// PostgreSQL's text allows no NUL and no unpaired surrogate.
const text = fc.string({ unit: 'grapheme' }).map((each) => each.replaceAll('\0', ''));
const special = fc.constantFrom(
  '',
  'null',
  'NULL',
  'Null',
  '{}',
  ',',
  '"',
  '\\',
  '\\x00',
  ' a ',
  'a b',
  'é',
  '👍',
  "'",
);
const orNull = <T>(of: fc.Arbitrary<T>) => fc.array(fc.option(of), { maxLength: 12 });

test('lists of texts, numbers and bytes come back from the database as they were', async () => {
  await fc.assert(
    fc.asyncProperty(
      orNull(fc.oneof(text, special, fc.uuid())),
      orNull(fc.maxSafeInteger()),
      orNull(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))),
      async (texts, numbers, bytes) => {
        const query = sql`select ${texts}::text[] as texts, ${numbers}::bigint[]::text[] as numbers, ${bytes}::bytea[] as bytes`;
        const { rows } = await client.query(query);
        expect(rows[0]).toEqual({
          texts,
          numbers: numbers.map((each) => (each === null ? null : String(each))),
          bytes,
        });
      },
    ),
    { numRuns: 300 },
  );
});

test('dates and truths in lists come back as they were', async () => {
  const at = new Date('2026-01-02T03:04:05.006Z');
  const { rows } = await client.query(
    sql`select ${[at, null]}::timestamptz[] as dates, ${[true, false, null]}::boolean[] as truths`,
  );
  expect(rows[0]).toEqual({ dates: [at, null], truths: [true, false, null] });
});

test('packed bytes are found again by their start and length', async () => {
  const list = [Buffer.from('ab'), null, Buffer.alloc(0), Buffer.from('cde')];
  const { bytes, starts, lengths } = packBytes(list);
  const { rows } = await client.query(sql`
    select array_agg(substring(${bytes}::bytea from start for length) order by place) as unpacked
      from unnest(${starts}::integer[], ${lengths}::integer[]) with ordinality as packed (start, length, place)`);
  expect(rows[0]?.unpacked).toEqual(list);
});
