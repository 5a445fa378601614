// After the build: moves every inline script and style element into a file named by its hash, so that the content policy
// needs no exception, mends what bars some readers, and compresses what compresses.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { labelTables } from './label-tables.ts';

const COMPRESSIBLE = /\.(html|css|js|json|md|svg|txt|xml)$/;
const SCRIPT = /<script([^>]*)>([\s\S]*?)<\/script>/g;
const STYLE = /<style([^>]*)>([\s\S]*?)<\/style>/g;

export type MovedFile = { readonly name: string; readonly content: string };

const hashOf = (content: string) => createHash('sha256').update(content).digest('base64url').slice(0, 12);

/** The page with its inline scripts and styles moved to files below `/docs/_astro/`. */
export function moveInline(html: string): { readonly html: string; readonly files: readonly MovedFile[] } {
  const files: MovedFile[] = [];
  const keep = (kind: 'js' | 'css', content: string): string => {
    const name = `inline.${hashOf(content)}.${kind}`;
    files.push({ name, content });
    return `/docs/_astro/${name}`;
  };
  const moved = html
    .replace(SCRIPT, (whole, attributes: string, content: string) => {
      const isCode = !/\ssrc=/.test(attributes) && (!/\stype=/.test(attributes) || /\stype="module"/.test(attributes));
      return isCode ? `<script${attributes} src="${keep('js', content)}"></script>` : whole;
    })
    .replace(
      STYLE,
      (_whole, _attributes: string, content: string) => `<link rel="stylesheet" href="${keep('css', content)}">`,
    );
  return { html: moved, files };
}

/** The boxes of a checklist are drawings: nobody can tick them, and they have no name. */
const hideBoxes = (html: string) =>
  html.replaceAll('<input type="checkbox" disabled>', '<input type="checkbox" disabled aria-hidden="true">');

/** The API reference has a main part of its own, which its bundle makes; a page has one. */
const leaveMain = (html: string) =>
  html.includes('<div id="app"') ? html.replace('<main', '<div data-main').replace('</main>', '</div>') : html;

export function finishSite(folder: string): { files: number; bytes: number; compressedBytes: number } {
  const pathsNow = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  mkdirSync(join(folder, '_astro'), { recursive: true });
  for (const path of pathsNow().filter((each) => each.endsWith('.html'))) {
    const { html, files } = moveInline(leaveMain(hideBoxes(labelTables(readFileSync(path, 'utf8')))));
    writeFileSync(path, html);
    for (const { name, content } of files) writeFileSync(join(folder, '_astro', name), content);
  }
  let [bytes, compressedBytes] = [0, 0];
  const paths = pathsNow();
  for (const path of paths) {
    const content = readFileSync(path);
    bytes += content.length;
    if (!COMPRESSIBLE.test(path)) {
      compressedBytes += content.length;
      continue;
    }
    const compressed = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    compressedBytes += compressed.length;
    writeFileSync(`${path}.br`, compressed);
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
  return { files: paths.length, bytes, compressedBytes };
}
