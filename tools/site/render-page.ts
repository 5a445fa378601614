// Turns a Markdown file of the repository into a page of the site: its first heading becomes the title, links between files
// become links between pages, and drawings and programs become part of the page.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { FENCED } from './language-tabs.ts';
import { addressOf, type PageSource } from './pages.ts';

export type Page = {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Markdown without the title. */
  readonly text: string;
};

type Lookup = {
  /** The pages of the site by their file. */
  readonly pages: ReadonlyMap<string, PageSource>;
  /** Reads a file of the repository. */
  readonly read: (file: string) => string;
};

const DESCRIPTION_MAX = 200;
/** The site has a copy of this folder (main.ts). */
export const PICTURES = 'docs/images/';
const LINK = /(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g;
/** A space and brackets, in which there are no others but those of links. */
const ASIDE = /\s\(((?:[^()]|\]\([^()\s]+\))+)\)/g;
/** A sentence of links alone, after another sentence. */
const SENTENCE = /(?<=[.!?]\**)\s+(\[[^\]]*\]\([^()\s]+\)(?:(?:,\s|\sand\s)\[[^\]]*\]\([^()\s]+\))*)\.(?=\s|$)/g;
/** Links, and what is between the parts of a list; the rest of a part is neither. */
const PARTS = /(\[[^\]]*\]\([^()\s]+\))|([,;]\s+|\sand\s+)/g;
/** A line with nothing but a link to a program. */
const PROGRAM = /^\[[^\]]*\]\(([^)\s:]+\.(ts|py|php|go|java))\)$/gm;
const LANGUAGES: Readonly<Record<string, string>> = { py: 'python' };

const isOutside = (target: string) => /^[a-z][a-z0-9+.-]*:/i.test(target);

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** On one line, because a blank line would end the HTML; without its styles, which the site's stylesheet has for its themes. */
function inlineDrawing(svg: string, label: string): string {
  const drawing = svg
    .replace(/<\?xml[\s\S]*?\?>|<!--[\s\S]*?-->|<(style|title)>[\s\S]*?<\/\1>/g, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  // On a phone it is wider than the page: with the keyboard it scrolls only where the focus can be.
  return `<div class="diagram" tabindex="0" role="img" aria-label="${escapeAttribute(label)}">${drawing}</div>`;
}

const isOfFile = (target: string) => !isOutside(target) && !target.startsWith('#') && !target.startsWith('/');
const nameFrom = (file: string, path: string) => posix.normalize(posix.join(posix.dirname(file), path));

/** The list without its parts that are nothing but a link of which the site would have the word alone, such as "why". */
function dropParts(list: string, isOnSite: (target: string) => boolean): string {
  const pieces = list.split(PARTS).filter((piece) => piece !== undefined && piece !== '');
  const isBetween = (piece: string | undefined) => piece === undefined || /^([,;]\s+|\sand\s+)$/.test(piece);
  const kept: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    const target = /^\[[^\]]*\]\(([^()\s]+)\)$/.exec(piece)?.[1];
    const isAlone = isBetween(pieces[at - 1]) && isBetween(pieces[at + 1]);
    if (target !== undefined && isAlone && !isOnSite(target)) kept.pop();
    // A list does not begin with what is between its parts.
    else if (kept.length > 0 || !isBetween(piece)) kept.push(piece);
  }
  return kept.join('');
}

/** Links to files that are no pages say nothing on the site where they stand in brackets or as a sentence of their own. */
function dropAsides(text: string, file: string, pages: Lookup['pages']): string {
  const isOnSite = (target: string) => !isOfFile(target) || pages.has(nameFrom(file, target.split('#', 1)[0] ?? ''));
  return text
    .replace(ASIDE, (whole, list: string) => {
      const kept = dropParts(list, isOnSite);
      return kept === '' ? '' : `${whole[0]}(${kept})`;
    })
    .replace(SENTENCE, (whole, list: string) => {
      const kept = dropParts(list, isOnSite);
      return kept === '' ? '' : whole.replace(list, kept);
    });
}

/** GitHub shows the link; a reader of the site does not have the file. */
function includePrograms(text: string, file: string, read: Lookup['read']): string {
  return text.replace(
    PROGRAM,
    (_link, path: string, ending: string) =>
      `\`\`\`${LANGUAGES[ending] ?? ending}\n${read(nameFrom(file, path)).trimEnd()}\n\`\`\``,
  );
}

/** A link to a file that is no page becomes its text: a reader of the site does not have the repository. */
function rewriteLinks(text: string, file: string, { pages, read }: Lookup): string {
  return dropAsides(text, file, pages).replace(LINK, (whole, image: string, label: string, target: string) => {
    if (!isOfFile(target)) return whole;
    const [path = '', anchor] = target.split('#', 2);
    const named = nameFrom(file, path);
    if (image && named.endsWith('.svg')) return inlineDrawing(read(named), label);
    if (image && named.startsWith(PICTURES) && named.endsWith('.png')) {
      return `![${label}](${addressOf('pictures')}/${posix.basename(named)})`;
    }
    if (image)
      throw new Error(`${file}: only drawings (.svg) and pictures of ${PICTURES} can be in a page, not ${target}`);
    const page = pages.get(named);
    return page ? `[${label}](${addressOf(page.slug)}${anchor ? `#${anchor}` : ''})` : label;
  });
}

/** The first paragraph in plain words. */
function describe(text: string): string {
  const paragraph = text.split(/\n\s*\n/).find((part) => /^[A-Za-z*`[]/.test(part.trim())) ?? '';
  const plain = paragraph.replace(LINK, '$2').replace(/[`*]/g, '').replace(/\s+/g, ' ').trim();
  return plain.length <= DESCRIPTION_MAX ? plain : `${plain.slice(0, DESCRIPTION_MAX - 1).replace(/\s\S*$/, '')}…`;
}

export function renderPage(source: PageSource, lookup: Lookup): Page {
  const markdown = lookup.read(source.file);
  const [, title, body] = /^# ([^\n]+)\n([\s\S]*)$/.exec(markdown) ?? [];
  if (title === undefined || body === undefined)
    throw new Error(`${source.file}: a page begins with "# " and its title`);
  const text = includePrograms(body, source.file, lookup.read)
    .split(FENCED)
    .map((part, at) => (at % 2 === 1 ? part : rewriteLinks(part, source.file, lookup)))
    .join('');
  return { slug: source.slug, title: title.replaceAll('`', ''), description: describe(text), text };
}

export const readFrom = (root: URL) => (file: string) => readFileSync(new URL(file, root), 'utf8');
