// What a browser must load, held against the budgets of docs/decisions/0228-the-console.md. Needs the built console.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

type Chunk = {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
};

const DIST = fileURLToPath(new URL('dist/', import.meta.url));
const MANIFEST = `${DIST}.vite/manifest.json`;
if (!existsSync(MANIFEST)) throw new Error('The console is not built: run "npm run console" first.');
const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, Chunk>;
const chunkOf = (name: string): Chunk => manifest[name] ?? { file: '' };

/** The chunk and everything that it cannot run without. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const each of chunkOf(name).imports ?? []) withImports(each, seen);
  return seen;
}

const sizeOf = (file: string, suffix = '.gz') => readFileSync(`${DIST}${file}${suffix}`).length;
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const kB = (bytes: number) => Math.round(bytes / 100) / 10;

const entry = Object.keys(manifest).find((name) => chunkOf(name).isEntry) ?? '';
const first = withImports(entry);
const pages = Object.keys(manifest).filter((name) => /-page\.tsx$/.test(name));
const lazy = Object.keys(manifest).filter((name) => chunkOf(name).isDynamicEntry && !pages.includes(name));

const scripts = (names: Iterable<string>) => [...new Set([...names].map((name) => chunkOf(name).file))];
const styles = (names: Iterable<string>) => [...new Set([...names].flatMap((name) => chunkOf(name).css ?? []))];

test('there are pages to hold against a budget', () => {
  expect(pages.length).toBeGreaterThanOrEqual(6);
  expect(lazy.length).toBeGreaterThanOrEqual(3);
});

test.each(pages)('%s: the first load of it is within its budget', (page) => {
  const names = withImports(page, new Set(first));
  const [js, css] = [scripts(names), styles(names)];
  expect(kB(sum(js.map((file) => sizeOf(file)))), 'kB of scripts').toBeLessThanOrEqual(150);
  expect(kB(sum(css.map((file) => sizeOf(file)))), 'kB of styles').toBeLessThanOrEqual(10);
  // The page itself, its fonts and its icon come on top.
  expect(js.length + css.length, 'requests').toBeLessThanOrEqual(14 - 4);
});

test.each(pages)('%s: its own code is within its budget', (page) => {
  expect(kB(sizeOf(chunkOf(page).file)), 'kB').toBeLessThanOrEqual(10);
});

test.each(lazy)('%s: the first use of it is within its budget', (part) => {
  const added = [...withImports(part)].filter((name) => !first.has(name));
  expect(kB(sum(scripts(added).map((file) => sizeOf(file)))), 'kB').toBeLessThanOrEqual(50);
});

test('fonts are within their budget', () => {
  const fonts = new Set(
    Object.values(manifest).flatMap(({ assets = [] }) => assets.filter((file) => file.endsWith('.woff2'))),
  );
  expect(fonts.size).toBe(2);
  expect(kB(sum([...fonts].map((file) => sizeOf(file, ''))))).toBeLessThanOrEqual(75);
});
