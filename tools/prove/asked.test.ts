import { expect, test } from 'vitest';
import { askedProofs, askedSentence, findAsked } from './asked.ts';

const checks = [
  { name: 'chaos', asks: ['server/src/{wallet,lib/postgres}/**', 'tools/chaos/**'] },
  { name: 'site', asks: ['docs/site/**'] },
];
const NEW = 'aaaaaaaaaa';
const OLD = 'bbbbbbbbbb';
const row = (check: string, commit: string, verdict = 'held') => ({ check, commit, verdict });
const everywhere = (commit: string) => [row('chaos', commit), row('site', commit)];

const cases: readonly (readonly [string, ReturnType<typeof row>[], Record<string, string[]>, string[]])[] = [
  // what, rows, files that changed since a commit, asked for
  ['nothing changed', everywhere(NEW), { [NEW]: [] }, []],
  ['a file that no check is about', everywhere(NEW), { [NEW]: ['README.md'] }, []],
  ['a file of one check', everywhere(NEW), { [NEW]: ['server/src/wallet/hold.ts'] }, ['chaos']],
  ['a file deep below', everywhere(NEW), { [NEW]: ['server/src/lib/postgres/a/b.ts'] }, ['chaos']],
  ['files of both', everywhere(NEW), { [NEW]: ['tools/chaos/main.ts', 'docs/site/money.md'] }, ['chaos', 'site']],
  ['another version of a package', everywhere(NEW), { [NEW]: ['package-lock.json'] }, ['chaos', 'site']],
  ['not yet run', [row('site', NEW)], { [NEW]: [] }, ['chaos']],
  ['a commit that git does not know', [row('chaos', 'cccccccccc'), row('site', NEW)], { [NEW]: [] }, ['chaos']],
  ['run with changes that were not committed', [row('chaos', `${NEW}+`), row('site', NEW)], { [NEW]: [] }, []],
  ['nothing was judged', [row('chaos', NEW, 'machine too noisy'), row('site', NEW)], { [NEW]: [] }, ['chaos']],
  [
    'each compares with the commit of its own row',
    [row('chaos', OLD), row('site', NEW)],
    { [OLD]: ['docs/site/money.md', 'tools/chaos/main.ts'], [NEW]: [] },
    ['chaos'],
  ],
];

test.each(cases)('%s', (_, rows, changes, asked) => {
  expect(findAsked(checks, rows, (commit) => changes[commit])).toEqual(asked);
});

test('git is asked once for each commit', () => {
  const commits: string[] = [];
  const changedSince = (commit: string) => {
    commits.push(commit);
    return [];
  };
  findAsked(checks, everywhere(NEW), changedSince);
  expect(commits).toEqual([NEW]);
});

test.each([
  [[], 'This change asks for no check of npm run prove.'],
  [['chaos', 'faults'], 'This change asks for: npm run prove -- --only chaos,faults (it refuses nothing)'],
  [['a', 'b', 'c'], 'This change asks for: npm run prove (it refuses nothing)'],
])('%j: %s', (names, sentence) => {
  expect(askedSentence(names, 3)).toBe(sentence);
});

test('of this tree it says one sentence', () => {
  expect(askedProofs()).toMatch(/^(This change asks for|Which checks of npm run prove).+$/);
});
