import { expect, test } from 'vitest';
import { type PageSource, SECTIONS } from './pages.ts';
import { readFrom, renderPage } from './render-page.ts';

const SOURCES: PageSource[] = [
  { slug: '', file: 'docs/site/index.md' },
  { slug: 'money', file: 'docs/site/money.md' },
  { slug: 'client-library', file: 'sdk/README.md' },
];
const pages = new Map(SOURCES.map((source) => [source.file, source]));
const render = (text: string, file = 'docs/site/index.md') => {
  const read = (name: string) =>
    name === file ? text : `<svg>\n<style>a</style>\n<!-- why -->\n<text>${name}</text>\n</svg>\n`;
  return renderPage(pages.get(file) ?? { slug: 'x', file }, { pages, read });
};
const bodyOf = (text: string) => render(`# Title\n\n${text}`).text.trim();

test('the first heading is the title, the first paragraph the description', () => {
  const { title, description } = render('# The `code`\n\nOne [link](money.md) and\n**two** lines.\n\nMore.\n');
  expect([title, description]).toEqual(['The code', 'One link and two lines.']);
});

test.each([
  ['a page beside it', '[x](money.md)', '[x](/docs/money)'],
  ['the first page', '[x](index.md)', '[x](/docs)'],
  ['a place on a page', '[x](money.md#prices)', '[x](/docs/money#prices)'],
  ['a page in another folder', '[x](../../sdk/README.md)', '[x](/docs/client-library)'],
  ['a file that is no page', '[why](../decisions/0001-names.md) it is', 'why it is'],
  ['a file that is no page, in brackets', 'It is so ([why](../decisions/0001-names.md)).', 'It is so.'],
  [
    'two such files, and a page',
    'So ([a](a.md), [b](b.md)). So ([a](a.md), [x](money.md)).',
    'So. So ([x](/docs/money)).',
  ],
  [
    'such a file, after a page and before words',
    'So ([x](money.md), [a](a.md); more).',
    'So ([x](/docs/money); more).',
  ],
  ['such a file, before words', 'So\n([a](a.md); more). So (more, [a](a.md)).', 'So\n(more). So (more).'],
  ['such a file, within words in brackets', 'So (as [a](a.md) says, and b).', 'So (as a says, and b).'],
  ['such files, as a sentence', 'So it is. [Why](a.md).\nSo. [How](a.md), [why](b.md). So.', 'So it is.\nSo. So.'],
  ['such a file and a page, as a sentence', '**So.** [How](money.md), [why](a.md).', '**So.** [How](/docs/money).'],
  ['such a file, which a sentence needs', 'So: see\n[a](a.md).', 'So: see\na.'],
  ['another host', '[x](https://example.com/a.md)', '[x](https://example.com/a.md)'],
  ['an address of the server', '[x](/docs/errors)', '[x](/docs/errors)'],
  ['a place on this page', '[x](#here)', '[x](#here)'],
  ['code', '```md\n[x](money.md)\n```', '```md\n[x](money.md)\n```'],
])('a link to %s', (_name, text, expected) => {
  expect(bodyOf(text)).toBe(expected);
});

test('a picture is an address of the site; no other file can be shown', () => {
  expect(bodyOf('![Home](../images/console-home.png)')).toBe('![Home](/docs/pictures/console-home.png)');
  expect(() => bodyOf('![Home](elsewhere.png)')).toThrow(/only drawings/);
});

test('a drawing becomes part of the page, on one line and without its styles', () => {
  expect(bodyOf('![What it "shows"](images/a.svg)')).toBe(
    '<div class="diagram" tabindex="0" role="img" aria-label="What it &quot;shows&quot;"><svg> <text>docs/site/images/a.svg</text> </svg></div>',
  );
});

test('a program that stands alone becomes part of the page; a link to one within a sentence does not', () => {
  const program = 'One\n\n[a.py](../../examples/a.py)\n\nsee [a.py](../../examples/a.py)';
  const code = '<svg>\n<style>a</style>\n<!-- why -->\n<text>examples/a.py</text>\n</svg>';
  expect(bodyOf(program)).toBe(`One\n\n\`\`\`python\n${code}\n\`\`\`\n\nsee a.py`);
});

test('a file without a title, and a picture that is no drawing, are refused', () => {
  expect(() => render('No title\n')).toThrow(/docs\/site\/index\.md/);
  expect(() => bodyOf('![x](a.png)')).toThrow(/a\.png/);
});

test('no page of the site has a bare word where a link was, such as "(why)", "(so, why)" or "Why."', () => {
  const sources = SECTIONS.flatMap((section) => section.pages);
  const lookup = {
    pages: new Map(sources.map((each) => [each.file, each])),
    read: readFrom(new URL('../../', import.meta.url)),
  };
  const bare = sources.flatMap((source) => {
    const words = renderPage(source, lookup).text.replace(/^```[\s\S]*?^```/gm, '');
    return [...words.matchAll(/.*(?:\(|[.,;:]\s+|^)(?:the steps|why|how|here)(?:[).;]|,\s).*/gim)].map(
      ([line]) => `${source.file}: ${line}`,
    );
  });
  expect(bare).toEqual([]);
});
