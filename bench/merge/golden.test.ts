// Runs every golden case against the matcher, and checks the form of the cases themselves.
import { describe, expect, test } from 'vitest';
import { GOLDEN } from './golden/index.ts';
import type { GoldenCase } from './golden/write.ts';
import { REGISTRY } from './lenders.ts';
import { loadMatcher } from './matcher.ts';

const ALL = Object.values(GOLDEN).flat();

const refsOf = ({ files }: GoldenCase) => files.flatMap(({ file }) => file.accounts.map(({ ref }) => ref)).sort();

/** Groups as sorted text, so that neither the order of records nor of members matters. */
function written(groups: readonly (readonly string[])[]): string[] {
  return groups.map((group) => [...group].sort().join(' ')).sort();
}

test('there are at least 200 golden cases, each with its own name', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(200);
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
});

test('every case expects each of its rows exactly once', () => {
  for (const one of ALL) expect([...one.expected.flat()].sort(), one.name).toEqual(refsOf(one));
});

for (const [theme, cases] of Object.entries(GOLDEN)) {
  describe(theme, () => {
    test.each(cases)('$name', async ({ files, expected }) => {
      const merge = await loadMatcher();
      const { records } = merge(files, REGISTRY);
      expect(written(records.map(({ members }) => members.map(({ ref }) => ref)))).toEqual(written(expected));
    });
  });
}
