import { expect, test } from 'vitest';
import { withLanguageTabs } from './language-tabs.ts';

const bash = '```bash run\ncurl\n```';
const ts = '```ts\nawait x();\n```';
const output = '```text output\n1\n```';
const page = (...parts: string[]) => `Before.\n\n${parts.join('\n\n')}\n\nAfter.\n`;

test('blocks of several languages in a row become one block with a choice; what a block prints stays with it', () => {
  expect(withLanguageTabs(page(bash, output, ts))).toBe(`Before.

<div class="samples">
<fieldset class="not-content" data-pagefind-ignore>
<legend>Language</legend>
<label><input type="radio" name="language-1" value="bash" checked>curl</label>
<label><input type="radio" name="language-1" value="ts">TypeScript</label>
</fieldset>
<div data-language="bash">

${bash}

${output}

</div>
<div data-language="ts">

${ts}

</div>
</div>

After.
`);
});

test('each choice of a page has buttons of its own', () => {
  const text = withLanguageTabs(page(bash, ts, 'Then', bash, ts));
  expect(text.match(/name="language-[12]"/g)).toHaveLength(4);
});

test.each([
  ['one language', [bash, output]],
  ['one language twice', [bash, ts, bash]],
  ['a language without a button', ['```sql\nselect 1\n```', ts]],
  ['words between them', [bash, 'And in TypeScript:', ts]],
])('%s: the blocks stay as they are', (_name, parts) => {
  expect(withLanguageTabs(page(...parts))).toBe(page(...parts));
});
