// Turns rows and results into text for people (a table) or for programs (one JSON object).
import type { Row } from './row.ts';
import type { Result } from './runner.ts';

const MARKS = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' } as const;

/** Rows about a guess too many, one key used twice, and another tenant's data. */
const GRAVE_ROWS =
  /^(otp\/parallel-|idempotency\/(parallel|wrong-code-once|other-tenant)$|tenant\/(foreign|own-only)$|reading\/(report-of-another|foreign)-tenant$|account\/select-foreign$)|other-tenants-/;

/** A service that was busy says nothing. Nor does a guess that was sent again after a 503: both may have been judged. */
const saysNothing = ({ id, detail }: Result): boolean =>
  detail.startsWith('could not be checked') ||
  /^last: \S+ \S+ → 503/m.test(detail) ||
  (id.startsWith('otp/') && /^sent again: /m.test(detail));

/** Whether a row failed that no later run clears: such a fault shows itself rarely. */
export const isGrave = (result: Result): boolean =>
  result.status === 'failed' && GRAVE_ROWS.test(result.id) && !saysNothing(result);

export function totals(results: readonly Result[]) {
  const count = (status: Result['status']) => results.filter((result) => result.status === status).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

export function resultsTable(results: readonly Result[]): string {
  const width = Math.max(...results.map(({ id }) => id.length));
  const lines = results.flatMap(({ id, title, pins, status, detail }) => {
    const line = `${MARKS[status]}  ${id.padEnd(width)}  ${title}`;
    if (status === 'skipped') return [`${line}  (${detail})`];
    if (status === 'failed')
      return [line, ...[`pins: ${pins}`, ...detail.split('\n')].map((text) => `         ${text}`)];
    return [line];
  });
  const { passed, failed, skipped } = totals(results);
  return [...lines, '', `${passed} passed, ${failed} failed, ${skipped} skipped`].join('\n');
}

export function resultsJson(results: readonly Result[]): string {
  const rows = results.map(({ id, title, status, detail }) => ({ id, title, status, detail }));
  return JSON.stringify({ ...totals(results), rows });
}

export function rowList(rows: readonly Row[], json: boolean): string {
  if (json) return JSON.stringify(rows.map(({ id, title, pins, pace }) => ({ id, title, pins, pace })));
  const width = Math.max(...rows.map(({ id }) => id.length));
  return [
    ...rows.map(({ id, title, pins }) => `${id.padEnd(width)}  ${title}  [${pins}]`),
    '',
    `${rows.length} rows`,
  ].join('\n');
}
