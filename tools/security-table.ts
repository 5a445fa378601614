// Reads the table of requirements in docs/operate/security.md and reports its faults: a requirement that is missing or
// listed twice, a wrong count, a test, title, file or heading that does not exist.
import { posix } from 'node:path';

export type SecurityDocument = {
  readonly text: string;
  /** Every id that must have a line. */
  readonly ids: readonly string[];
  /** The text of a file of the tree; undefined where there is none. */
  readonly read: (path: string) => string | undefined;
};

const FOLDER = 'docs/operate';
const STATES = ['Met', '**Not met**', 'Not applicable', 'Operator'];
const ID = /\bV\d+\.\d+\.\d+\b/g;

type Line = {
  readonly id: string;
  readonly chapter: string;
  readonly state: string;
  readonly reason: string;
  readonly tests: string;
};

const cellsOf = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

function readLines(table: string): Line[] {
  let chapter = '';
  return table.split('\n').flatMap((row) => {
    chapter = /^### (.+)$/.exec(row)?.[1] ?? chapter;
    if (!/^\| V\d/.test(row)) return [];
    const [id = '', , state = '', reason = '', tests = ''] = cellsOf(row);
    return [{ id, chapter, state, reason, tests }];
  });
}

function findIdFaults(lines: readonly Line[], ids: readonly string[], short: string): string[] {
  const given = lines.map(({ id }) => id);
  const open = lines.filter(({ state }) => state === '**Not met**').map(({ id }) => id);
  const told: readonly string[] = short.match(ID) ?? [];
  return [
    ...given.filter((id, place) => given.indexOf(id) !== place).map((id) => `${id} stands twice`),
    ...ids.filter((id) => !given.includes(id)).map((id) => `${id} is missing`),
    ...given.filter((id) => !ids.includes(id)).map((id) => `${id} is not in the list of ids`),
    ...open.filter((id) => !told.includes(id)).map((id) => `${id} is not met, and "In short" does not say so`),
    ...told.filter((id) => !open.includes(id)).map((id) => `"In short" names ${id}, which is not "Not met"`),
  ];
}

function findStateFaults({ id, state, reason }: Line): string[] {
  if (!STATES.includes(state)) return [`${id} has no state`];
  const isRanked = state !== '**Not met**' || /^(High|Medium|Low)\. /.test(reason);
  return isRanked ? [] : [`${id} does not say how serious it is`];
}

/** The first column of the summary names a chapter, the others count its states. */
function findCountFaults(lines: readonly Line[], short: string): string[] {
  const expected = (own: readonly Line[]) =>
    STATES.map((state) => own.filter((line) => line.state === state).length).join(' ');
  const counted = new Map(
    short
      .split('\n')
      .map((row) => cellsOf(row.replaceAll('**', '')))
      .map(([name = '', ...counts]) => [name, counts.join(' ')]),
  );
  const chapters = [...new Set(lines.map(({ chapter }) => chapter))];
  const sums: [string, string][] = [
    ...chapters.map((name): [string, string] => [name, expected(lines.filter(({ chapter }) => chapter === name))]),
    [`All ${lines.length}`, expected(lines)],
  ];
  return sums
    .filter(([name, counts]) => counted.get(name) !== counts)
    .map(([name, counts]) => `the summary of ${name} must say ${counts}`);
}

/** The first argument of each call of `test`, `describe` or their `each`, as written in the source. */
export function titlesOf(source: string): string[] {
  const call = /(?:\b(?:test|describe)(?:\.\w+)?|\))\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1\s*,/g;
  return [...source.matchAll(call)].map(([, , title = '']) => title);
}

function findTestFaults({ id, tests }: Line, read: SecurityDocument['read']): string[] {
  if (tests === '–') return [];
  const named = [...tests.matchAll(/`([^`]+)`((?: “[^”]+”)*)/g)];
  if (named.length === 0) return [`${id} names no test and has no dash`];
  return named.flatMap(([, path = '', quoted = '']) => {
    const source = path.endsWith('.test.ts') ? read(path) : undefined;
    if (source === undefined) return [`${id}: there is no test file ${path}`];
    const parts = [...quoted.matchAll(/“([^”]+)”/g)].map(([, part = '']) => part);
    if (parts.length === 0) return [`${id}: no title of ${path} is named`];
    const titles = titlesOf(source);
    return parts
      .filter((part) => !titles.some((title) => title.includes(part)))
      .map((part) => `${id}: no test of ${path} has “${part}” in its title`);
  });
}

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

function findPlaceFaults({ text, read }: SecurityDocument): string[] {
  const files = [...text.matchAll(/`([\w./-]+\.(?:ts|json|md|txt))`/g)].map(([, path = '']) => path);
  const links = [...text.matchAll(/\]\((?!https:)([^)#]*)#?([^)]*)\)/g)];
  return [
    ...files.filter((path) => read(path) === undefined).map((path) => `there is no file ${path}`),
    ...links.flatMap(([, target = '', anchor = '']) => {
      const linked = target === '' ? text : read(posix.join(FOLDER, target));
      if (linked === undefined) return [`there is no ${target}`];
      return anchor === '' || anchorsOf(linked).includes(anchor) ? [] : [`${target}#${anchor} leads nowhere`];
    }),
  ];
}

export function findFaults(document: SecurityDocument): string[] {
  const { text, ids, read } = document;
  const sectionOf = (title: string) => text.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? '';
  const short = sectionOf('In short');
  const lines = readLines(sectionOf('Requirement by requirement'));
  return [
    ...findIdFaults(lines, ids, short),
    ...lines.flatMap(findStateFaults),
    ...findCountFaults(lines, short),
    ...lines.flatMap((line) => findTestFaults(line, read)),
    ...findPlaceFaults(document),
  ];
}
