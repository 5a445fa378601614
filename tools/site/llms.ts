// The site for programs that read it: llms.txt, one line a page; each page as Markdown; and llms-full.txt, all pages in one text.
import { addressOf } from './pages.ts';
import type { Page } from './render-page.ts';

export type SiteSection = { readonly label: string; readonly pages: readonly Page[] };

const INTRODUCTION = `# Trefoil

> UK credit reports over one HTTP API: up to three bureaus, one merged report, an SMS challenge where screening asks for one,
> charged to a prepaid wallet.

Base address: the address of the server that serves this file. The OpenAPI document is at /openapi.json.
`;

/** The file of a page as Markdown: its address and `.md`. */
export const markdownName = (slug: string) => `${slug === '' ? 'index' : slug}.md`;

export const pageText = ({ title, text }: Page) => `# ${title}\n${text.trimEnd()}\n`;

const DOCUMENT = '[OpenAPI document](/openapi.json): every operation, field, example and error of the API';

/** The page is drawn by a program from the document, which a reader of Markdown takes instead. */
export const REFERENCE_TEXT = `# API reference\n\n${DOCUMENT}\n`;

export function llmsIndex(sections: readonly SiteSection[]): string {
  const lines = sections.map(({ label, pages }) => {
    const items = pages.map(
      ({ slug, title, description }) => `- [${title}](${addressOf(markdownName(slug))}): ${description}`,
    );
    return `## ${label}\n\n${items.join('\n')}\n`;
  });
  return `${INTRODUCTION}
All pages in one text: [llms-full.txt](/docs/llms-full.txt)

${lines.join('\n')}
## Reference

- ${DOCUMENT}
`;
}

export function llmsFull(sections: readonly SiteSection[]): string {
  const pages = sections.flatMap((section) => section.pages);
  const texts = pages.map(({ slug, title, text }) => `# ${title}\n\nAddress: ${addressOf(slug)}\n${text.trimEnd()}\n`);
  return `${INTRODUCTION}\n${texts.join('\n---\n\n')}`;
}
