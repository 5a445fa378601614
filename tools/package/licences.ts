// The packages that go along in a package of Trefoil, with their licences, as one text for people and lawyers.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

export type Carried = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
};

const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** As Node looks for it: in the folder's own node_modules, then upwards. */
function findPackage(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return realpathSync(found);
    if (folder === dirname(folder)) return undefined;
  }
}

function readTexts(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return names
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n');
}

/** Packages named in `names` and all that they need, as installed for `folder`. A package for another system is not there. */
export function listCarried(folder: string, names: readonly string[]): Carried[] {
  const seen = new Map<string, Carried>();
  const visit = (from: string, name: string, isOptional: boolean): void => {
    const place = findPackage(from, name);
    if (place === undefined) {
      if (isOptional) return;
      throw new Error(`the package ${name} is not installed`);
    }
    if (seen.has(place)) return;
    const { version, license, dependencies = {}, optionalDependencies = {} } = readManifest(place);
    seen.set(place, { name, version, licence: license ?? 'see its text', text: readTexts(place) });
    for (const each of Object.keys(dependencies)) visit(place, each, each in optionalDependencies);
    for (const each of Object.keys(optionalDependencies)) visit(place, each, true);
  };
  for (const name of names) visit(folder, name, false);
  return [...seen.values()].filter(({ name }) => !name.startsWith('@trefoil/'));
}

/** What is no package, such as Node: one text of a folder each, named by its file. */
export function listTexts(folder: string): Carried[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({
      ...{ name: file.replace(/\.txt$/, ''), version: '', licence: 'see its text' },
      text: readFileSync(join(folder, file), 'utf8').trim(),
    }));
}

/** A table of all, then each text once, under the packages that have it. */
export function describeLicences(carried: readonly Carried[]): string {
  const titleOf = ({ name, version }: Carried) => `${name} ${version}`.trim();
  const rows = [...new Set(carried.map((each) => `${titleOf(each)}: ${each.licence}`))].toSorted();
  const byText = Map.groupBy(carried, ({ text }) => text);
  const texts = [...byText].flatMap(([text, users]) => {
    const names = [...new Set(users.map(({ name }) => name))].toSorted().join(', ');
    return text === '' ? [] : [`${'='.repeat(80)}\n${names}\n${'='.repeat(80)}\n\n${text}`];
  });
  return `Trefoil is licensed under Apache-2.0; see LICENSE. It carries Node, fonts and these packages:\n\n${rows.join('\n')}\n\n${texts.join('\n\n')}\n`;
}
