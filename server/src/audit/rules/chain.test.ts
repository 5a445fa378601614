// What the chain guarantees: it shows every row that was edited (in any field), moved, inserted or removed.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AuditRow, linkText } from './chain.ts';

const ZERO = Buffer.alloc(32);
const hash = (row: AuditRow, previous: Buffer) => createHash('sha256').update(linkText(row, previous)).digest();

const row: AuditRow = {
  tenantId: '01890000-0000-7000-8000-000000000001',
  seq: 1,
  actor: 'system',
  action: 'report.completed',
  subjectId: '01890000-0000-7000-8000-000000000002',
  details: '{"cost":2000}',
  occurredAt: '2026-06-01T09:14:22.100Z',
};

test('the text never changes: old chains must still verify', () => {
  expect(linkText(row, ZERO)).toBe(
    `["trefoil/audit/1","${'0'.repeat(64)}","01890000-0000-7000-8000-000000000001",1,"system","report.completed",` +
      `"01890000-0000-7000-8000-000000000002","2026-06-01T09:14:22.100Z","{\\"cost\\":2000}"]`,
  );
});

const edits: [string, Partial<AuditRow>][] = [
  ['tenant', { tenantId: '01890000-0000-7000-8000-000000000009' }],
  ['place', { seq: 2 }],
  ['actor', { actor: 'operator' }],
  ['action', { action: 'report.failed' }],
  ['subject', { subjectId: '01890000-0000-7000-8000-000000000009' }],
  ['details', { details: '{"cost":2001}' }],
  ['spelling of the details', { details: '{"cost": 2000}' }],
  ['time', { occurredAt: '2026-06-01T09:14:22.101Z' }],
  ['text moved from one field to the next', { actor: 'systemreport', action: '.completed' }],
  ['quotes that look like the end of a field', { actor: 'system","report.completed' }],
];
for (const [name, change] of edits) {
  test(`another ${name}: another hash`, () => {
    expect(hash({ ...row, ...change }, ZERO)).not.toEqual(hash(row, ZERO));
  });
}

test('another row before it: another hash', () => {
  expect(hash(row, Buffer.alloc(32, 1))).not.toEqual(hash(row, ZERO));
});

test('any chain: a removed, swapped or edited row changes the end of it', () => {
  const rows = fc.array(
    fc.record({ actor: fc.string(), action: fc.string(), details: fc.json() }).map((change) => ({ ...row, ...change })),
    { minLength: 2, maxLength: 8 },
  );
  const endOf = (chain: readonly AuditRow[]) =>
    chain.reduce((previous, each, place) => hash({ ...each, seq: place + 1 }, previous), ZERO).toString('hex');
  fc.assert(
    fc.property(rows, fc.nat(), (chain, at) => {
      const place = at % chain.length;
      const end = endOf(chain);
      expect(endOf(chain.toSpliced(place, 1))).not.toBe(end);
      expect(endOf(chain.toSpliced(place, 0, chain[place] ?? row))).not.toBe(end);
      expect(endOf(chain.with(place, { ...row, actor: `${chain[place]?.actor}x` }))).not.toBe(end);
    }),
  );
});
