// The console as `npm run console` built it, read once at the start: its first page and its files by their names. A request
// is looked up among these names and never names a file (docs/decisions/0228-the-console.md).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Compressible, readCompressed } from '../body/compressed.ts';

type ConsoleFile = Compressible & { readonly type: string };

export type Console = {
  readonly index: Buffer;
  /** By the name below /console/assets/, which changes with the content. */
  findAsset(name: string): ConsoleFile | undefined;
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Undefined where no console has been built. */
export function readConsole(folder: string | undefined): Console | undefined {
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) return undefined;
  const assets = join(folder, 'assets');
  const read = (name: string) => readFileSync(join(assets, name));
  const names = readdirSync(assets, { withFileTypes: true }).filter((entry) => entry.isFile());
  const present = new Set(names.map(({ name }) => name));
  const files = new Map<string, ConsoleFile>();
  for (const name of present) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) continue;
    files.set(name, { type, ...readCompressed(name, present, read) });
  }
  return { index: readFileSync(join(folder, 'index.html')), findAsset: (name) => files.get(name) };
}
