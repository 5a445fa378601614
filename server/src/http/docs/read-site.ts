// The documentation site as `npm run site` built it, read once at the start: every address it has, and nothing else. A request
// chooses among these addresses and never names a file (docs/decisions/0210-a-site-from-the-documents.md).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isCompressedCopy, readCompressed } from '../body/compressed.ts';
import { etagOf, type KeptFile } from './kept-file.ts';

export type SiteFile = KeptFile & {
  readonly type: string;
  readonly isPage: boolean;
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
};

export type Site = {
  find(address: string): SiteFile | undefined;
  /** For readers who followed a link that leads nowhere. */
  readonly notFound: SiteFile | undefined;
};

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  tgz: 'application/gzip',
  txt: 'text/plain; charset=utf-8',
};
/** Astro and Pagefind put a hash of the content into these names. */
const HASHED = /^(_astro\/|pagefind\/(fragment|index)\/|pagefind\/[^/]+\.pf_meta$)/;
const PAGE = /(^|\/)index\.html$/;

/** `quickstart/index.html` is the page `/docs/quickstart`. */
function addressOf(name: string): string {
  const address = name.replace(PAGE, '');
  return address === '' ? '/docs' : `/docs/${address}`;
}

/** Undefined where no site has been built. */
export function readSite(folder: string): Site | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const present = new Set(names);
  const readFile = (name: string): SiteFile => {
    const file = readCompressed(name, present, (each) => readFileSync(join(folder, each)));
    return {
      type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      isPage: name.endsWith('.html'),
      isImmutable: HASHED.test(name),
      etag: etagOf(file.body),
      ...file,
    };
  };
  const served = names.filter((name) => !isCompressedCopy(name) && (!name.endsWith('.html') || PAGE.test(name)));
  const files = new Map(served.map((name) => [addressOf(name), readFile(name)]));
  return {
    find: (address) => files.get(address),
    notFound: present.has('404.html') ? readFile('404.html') : undefined,
  };
}
