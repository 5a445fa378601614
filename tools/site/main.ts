// Builds the documentation site into site/dist, for `npm run dev` and `npm run package`: installs the site's own packages,
// writes its pages from the repository's Markdown and the contract, and lets Astro render them
// (docs/decisions/0210-a-site-from-the-documents.md).
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readReferenceBundle } from '../dev/reference-bundle.ts';
import { errorPages } from './error-pages.ts';
import { finishSite } from './finish.ts';
import { withLanguageTabs } from './language-tabs.ts';
import { llmsFull, llmsIndex, markdownName, pageText, REFERENCE_TEXT, type SiteSection } from './llms.ts';
import { packLibrary } from './pack-library.ts';
import { addressOf, SECTIONS } from './pages.ts';
import { type Page, PICTURES, readFrom, renderPage } from './render-page.ts';

const root = new URL('../../', import.meta.url);
const siteFolder = new URL('site/', root);
const pathOf = (name: string) => fileURLToPath(new URL(name, siteFolder));

function run(...command: readonly string[]): void {
  const options = { cwd: fileURLToPath(siteFolder), stdio: 'inherit' } as const;
  const { status, error } = spawnSync('env', ['ASTRO_TELEMETRY_DISABLED=1', ...command], options);
  if (error) throw error;
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`);
}

/** The lockfile as it was installed: a build without changes installs nothing. */
const STAMP = pathOf('node_modules/.installed-lock');

function install(): void {
  const lock = readFileSync(pathOf('package-lock.json'), 'utf8');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return;
  // Not `npm ci`, which demands the optional binaries of every other system in the lockfile. This installs the versions of the
  // lockfile all the same, checks their digests, and does not change the file.
  const thrice = fileURLToPath(new URL('.ci/thrice', root));
  run(thrice, 'npm', 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(STAMP, lock);
}

function collectSections(): SiteSection[] {
  const present = SECTIONS.map(({ label, pages }) => ({
    label,
    pages: pages.filter(({ file }) => existsSync(new URL(file, root))),
  }));
  const pages = new Map(present.flatMap((section) => section.pages.map((page) => [page.file, page] as const)));
  const lookup = { pages, read: readFrom(root) };
  const written = present.map(({ label, pages: sources }) => ({
    label,
    pages: sources.map((source) => renderPage(source, lookup)),
  }));
  return [...written, { label: 'Errors', pages: errorPages }];
}

function writePages(pages: readonly Page[]): void {
  rmSync(pathOf('src/content'), { recursive: true, force: true });
  for (const { slug, title, description, text } of pages) {
    const path = pathOf(`src/content/docs/${slug === '' ? 'index' : slug}.md`);
    mkdirSync(dirname(path), { recursive: true });
    const head = `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---\n`;
    writeFileSync(path, `${head}${withLanguageTabs(text)}`);
  }
}

/** What pages show as they are. Astro copies all of `public`. */
function copyPictures(): void {
  const copies = pathOf('public/pictures');
  rmSync(copies, { recursive: true, force: true });
  cpSync(new URL(PICTURES, root), copies, { recursive: true });
}

/** What draws the page /docs/reference. Astro copies all of `public`. */
async function copyReferenceBundle(): Promise<void> {
  mkdirSync(pathOf('public/js'), { recursive: true });
  writeFileSync(pathOf('public/js/scalar.js'), await readReferenceBundle());
}

function writeSidebar(sections: readonly SiteSection[]): void {
  const labels = new Map(SECTIONS.flatMap(({ pages }) => pages.map(({ slug, label }) => [slug, label] as const)));
  // Addresses here are without the base, which Starlight adds.
  const item = ({ slug, title }: Page) => ({ label: labels.get(slug) ?? title, link: `/${slug}` });
  const groups = sections.map(({ label, pages }) => ({ label, items: pages.map(item), collapsed: label === 'Errors' }));
  const reference = { label: 'API reference', link: '/reference' };
  writeFileSync(
    pathOf('src/sidebar.json'),
    JSON.stringify([...groups.slice(0, -1), reference, ...groups.slice(-1)], null, 2),
  );
}

async function build(): Promise<void> {
  const beganMs = performance.now();
  install();
  const installedMs = performance.now();
  const sections = collectSections();
  const pages = sections.flatMap((section) => section.pages);
  writePages(pages);
  copyPictures();
  await copyReferenceBundle();
  writeSidebar(sections);
  rmSync(pathOf('dist'), { recursive: true, force: true });
  run(pathOf('node_modules/.bin/astro'), 'build', '--silent');
  writeFileSync(pathOf('dist/llms.txt'), llmsIndex(sections));
  writeFileSync(pathOf('dist/llms-full.txt'), llmsFull(sections));
  for (const page of pages) writeFileSync(pathOf(`dist/${markdownName(page.slug)}`), pageText(page));
  writeFileSync(pathOf('dist/reference.md'), REFERENCE_TEXT);
  packLibrary(fileURLToPath(root), pathOf('dist'));
  const { files, bytes, compressedBytes } = finishSite(pathOf('dist'));
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const kilobytes = (count: number) => `${Math.round(count / 1_024)} kB`;
  console.log(
    `${pages.length} pages, ${files} files, ${kilobytes(bytes)} (${kilobytes(compressedBytes)} compressed) below ` +
      `${addressOf('')}; packages ${seconds(installedMs - beganMs)}, build ${seconds(performance.now() - installedMs)}`,
  );
}

await build();
