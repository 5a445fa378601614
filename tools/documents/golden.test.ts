// Golden views of the chosen reports: a change of a word, a rule or a place on the chart shows in the difference of a file.
// `npx vitest run tools/documents/golden.test.ts --update` writes them anew; read the difference before you commit it.
import { describe, expect, test } from 'vitest';
import { paintHtml } from '../../server/src/documents/html/paint-html.ts';
import { buildView } from '../../server/src/documents/view/build-view.ts';
import type { View } from '../../server/src/documents/view/view.ts';
import { CASES } from './cases.ts';
import { inventedEvidence } from './evidence.ts';
import { FAULTY, textsOf, wordsOfPage } from './texts.ts';

/** Never mixed up in one sentence: the file has nothing, there is no file, the agency did not answer. */
const MEANINGS = {
  nothing:
    /\bno (other |car finance )?(account|agreement)|none on file|none reported|hire purchase or lease agreement on it/i,
  nobody: /found nobody|no (credit )?file (was found|for)|has no file/i,
  silent: /did not answer|no usable answer/i,
} as const;

const LINE_LENGTH = 160;

const sentencesOf = (text: string) => text.split(/(?<=[.?!:])\s+/);

function meaningsOf(sentence: string): string[] {
  return Object.entries(MEANINGS).flatMap(([name, pattern]) => (pattern.test(sentence) ? [name] : []));
}

/** JSON with everything on one line that fits there: a row of a table is a line, and a changed word is a changed line. */
function print(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_LENGTH) return line;
  const inner = `${indent} `;
  const [begin, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Object.entries(value).map(
    ([name, each]) => `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${print(each, inner)}`,
  );
  return `${begin}\n${parts.join(',\n')}\n${indent}${end}`;
}

for (const [name, make] of Object.entries(CASES)) {
  describe(name, () => {
    const completed = make();
    const [view, page] = (['pdf', 'page'] as const).map((medium) =>
      buildView(completed, inventedEvidence(completed), medium),
    ) as [View, View];

    test('its view is the golden one', async () => {
      await expect(`${print(view)}\n`).toMatchFileSnapshot(`golden/${name}.json`);
    });

    test('no text is missing, and none mixes up what was found', () => {
      for (const text of textsOf([view, page])) {
        expect(text).not.toMatch(FAULTY);
        expect(text).not.toMatch(/\bnull\b/);
        for (const sentence of sentencesOf(text)) {
          expect(meaningsOf(sentence).length, sentence).toBeLessThan(2);
        }
      }
    });

    test('its page has every text of its view', () => {
      // A day in a cell has spaces that do not break.
      const html = paintHtml(page).replaceAll('\u00a0', ' ');
      expect(html).not.toMatch(FAULTY);
      const escaped = (text: string) =>
        text.replace(/[&<>"']/g, (each) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[each]};`);
      const words = wordsOfPage(page);
      const times = (text: string) => words.filter((each) => each === text).length;
      const missing = [...new Set(words)].filter((text) => html.split(escaped(text)).length - 1 < times(text));
      expect(missing).toEqual([]);
      const bars = page.sections.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.kind === 'timeline' ? block.bars : [])),
      );
      expect(html.match(/<rect class="bar"/g) ?? []).toHaveLength(bars.length);
      expect(html.match(/<text class="label/g) ?? []).toHaveLength(bars.length);
    });
  });
}

test('each of the three sentences is seen by its pattern', () => {
  const seen = (name: string) => {
    const completed = CASES[name]?.() ?? expect.fail(name);
    const texts = textsOf(buildView(completed, undefined, 'pdf').glance);
    return new Set(texts.flatMap(sentencesOf).flatMap(meaningsOf));
  };
  expect(seen('no-records')).toContain('nothing');
  expect(seen('all-untraced')).toEqual(new Set(['nobody']));
  expect(seen('untraced-and-silent')).toEqual(new Set(['nobody', 'silent']));
  expect(seen('one-silent')).toEqual(new Set(['silent']));
});
