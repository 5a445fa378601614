// Checks the built site: every internal link and every file a page loads exists, with its anchor; nothing is loaded from
// another host; no script and no style element is inline. Run it after `npm run site`: `npm run site:links`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERROR_CODES } from '@trefoil/contract';
import { libraryFile } from './pack-library.ts';

/** What the server itself serves beside the site. */
const SERVED = new Set(['/', '/openapi.json', '/docs/js/storage.js', '/docs/js/start.js']);

type SitePage = { readonly address: string; readonly html: string; readonly anchors: ReadonlySet<string> };

const decode = (text: string) =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&#38;', '&');

const valuesOf = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, value = '']) => decode(value));

/** Text and code of samples are escaped, so what is left of a tag is a tag. */
const HREF = /<a\s[^>]*?href="([^"]*)"/g;
const LOADED = /<(?:script|img|iframe|source|link(?![^>]*rel="canonical"))\s[^>]*?(?:src|href)="([^"]*)"/g;
const ID = /\sid="([^"]*)"/g;
const INLINE = /<script(?![^>]*\ssrc=)(?![^>]*type="application\/)[^>]*>|<style[\s>]/g;
const HANDLER = /<[a-z][^>]*\son[a-z]+="/g;

export function checkPages(pages: readonly SitePage[], exists: (address: string) => boolean): string[] {
  const byAddress = new Map(pages.map((page) => [page.address, page]));
  return pages.flatMap((page) => {
    const faults: string[] = [];
    const fault = (text: string) => faults.push(`${page.address}: ${text}`);
    for (const target of valuesOf(page.html, LOADED)) {
      if (target.startsWith('data:')) continue;
      if (/^([a-z]+:)?\/\//.test(target)) fault(`loads ${target} from another host`);
      else if (!exists(posix.resolve(page.address, target))) fault(`loads ${target}, which does not exist`);
    }
    for (const target of valuesOf(page.html, HREF)) {
      if (/^(https?:|mailto:)/.test(target)) continue;
      const [path = '', anchor] = target.split('#', 2);
      const address = path === '' ? page.address : posix.resolve(posix.dirname(page.address), path);
      const found = byAddress.get(address);
      if (!found && !exists(address)) fault(`links to ${target}, which does not exist`);
      else if (path.length > 1 && path.endsWith('/')) fault(`links to ${target}: no address ends with a slash`);
      else if (anchor && found && !found.anchors.has(decodeURIComponent(anchor)))
        fault(`links to ${target}: no such place`);
    }
    if (INLINE.test(page.html)) fault('has an inline script or style');
    if (HANDLER.test(page.html)) fault('has an inline event handler');
    INLINE.lastIndex = 0;
    HANDLER.lastIndex = 0;
    return faults;
  });
}

export function toPage(address: string, html: string): SitePage {
  return { address, html, anchors: new Set(valuesOf(html, ID)) };
}

function main(): number {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = join(root, 'site/dist');
  if (!existsSync(join(folder, 'index.html'))) {
    console.error('The site has not been built: npm run site');
    return 1;
  }
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const addresses = new Set(names.map((name) => posix.join('/docs', name.replace(/\/?index\.html$/, ''))));
  const pages = names
    .filter((name) => name.endsWith('.html'))
    .map((name) =>
      toPage(posix.join('/docs', name.replace(/\/?index\.html$/, '')), readFileSync(join(folder, name), 'utf8')),
    );
  const exists = (address: string) => SERVED.has(address) || addresses.has(address);
  const missing = ERROR_CODES.filter((code) => !addresses.has(`/docs/errors/${code}`));
  const faults = [...checkPages(pages, exists), ...missing.map((code) => `the error code ${code} has no page`)];
  for (const file of [libraryFile(root), 'reference.md'])
    if (!addresses.has(`/docs/${file}`)) faults.push(`no ${file}`);
  // A list for programs that read it: its links are addresses of pages.
  for (const [, target = ''] of readFileSync(join(folder, 'llms.txt'), 'utf8').matchAll(/\]\(([^)]+)\)/g)) {
    if (!exists(target)) faults.push(`llms.txt links to ${target}, which does not exist`);
  }
  for (const fault of faults) console.error(fault);
  console.log(
    `${pages.length} pages: ${faults.length === 0 ? 'every link leads somewhere' : `${faults.length} faults`}`,
  );
  return faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
