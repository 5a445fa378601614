// What the rows' results say about a breakage, or about the unbroken copy. Pure.
import type { Breakage } from './breakages.ts';
import type { Depth, RowResult } from './kit.ts';

export type Verdict =
  | { readonly kind: 'caught'; readonly rows: readonly string[]; readonly detail: string }
  | { readonly kind: 'not-caught'; readonly detail: string }
  | { readonly kind: 'green'; readonly detail: string }
  | { readonly kind: 'not-green'; readonly detail: string }
  | { readonly kind: 'skipped'; readonly detail: string }
  | { readonly kind: 'not-run'; readonly detail: string };

/** Whether the run may show this verdict; a skipped breakage was left out on request. */
export function isFine({ kind }: Verdict): boolean {
  return kind === 'caught' || kind === 'green' || kind === 'skipped';
}

const idsOf = (results: readonly RowResult[]) => results.map(({ id }) => id);

/** Rows about the broken promise come first; only they count as having caught it. */
export function judgeBreakage({ rows }: Pick<Breakage, 'rows'>, results: readonly RowResult[]): Verdict {
  const red = results.filter(({ status }) => status === 'failed');
  const [about, others] = [red.filter(({ id }) => rows.test(id)), red.filter(({ id }) => !rows.test(id))];
  const [first] = about;
  if (first) return { kind: 'caught', rows: idsOf([...about, ...others]), detail: first.detail };
  const elsewhere = others.length > 0 ? `; red for other reasons: ${idsOf(others).join(', ')}` : '';
  return { kind: 'not-caught', detail: `no row matching ${rows} went red${elsewhere}` };
}

export function judgeControl(depth: Depth, results: readonly RowResult[]): Verdict {
  const isExpected = ({ id, status }: RowResult) =>
    status === 'passed' || (status === 'skipped' && depth === 'fast' && id.startsWith('slow/'));
  const odd = results.filter((result) => !isExpected(result));
  const passed = results.filter(({ status }) => status === 'passed').length;
  if (odd.length === 0 && passed > 0) return { kind: 'green', detail: `all ${passed} rows` };
  const said = odd.map(({ id, status, detail }) => `${id} ${status}: ${detail}`);
  return { kind: 'not-green', detail: said.join('\n') || 'no row was run' };
}
