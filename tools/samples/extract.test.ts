import { expect, test } from 'vitest';
import { extractSamples } from './extract.ts';

const page = (...lines: string[]) => lines.join('\n');

test('blocks of one language in a document are one program; others are not run', () => {
  const samples = extractSamples(
    'a.md',
    page(
      '# A',
      '```bash run',
      'echo 1',
      '```',
      '```json',
      '{}',
      '```',
      '```bash run',
      'echo 2',
      '```',
      '```ts run',
      'x',
      '```',
    ),
  );
  expect(samples).toEqual([
    {
      file: 'a.md',
      language: 'bash',
      blocks: [
        { code: 'echo 1\n', output: undefined, line: 3 },
        { code: 'echo 2\n', output: undefined, line: 9 },
      ],
    },
    { file: 'a.md', language: 'ts', blocks: [{ code: 'x\n', output: undefined, line: 12 }] },
  ]);
});

test('an output belongs to the block before it', () => {
  const [sample] = extractSamples('a.md', page('```bash run', 'echo 1', '```', '', '```text output', '1', '```'));
  expect(sample?.blocks).toEqual([{ code: 'echo 1\n', output: '1\n', line: 2 }]);
});

test('a block in a list is seen, without its indentation', () => {
  const [sample] = extractSamples('a.md', page('1. A', '', '   ```ts run', '   if (x)', '     y;', '', '   ```'));
  expect(sample?.blocks).toEqual([{ code: 'if (x)\n  y;\n\n', output: undefined, line: 4 }]);
});

test('a program may begin with the token of the quickstart, in its first block', () => {
  const samples = extractSamples('a.md', page('```ts run with-token', 'x', '```', '```js run', 'y', '```'));
  expect(samples).toMatchObject([{ language: 'ts', isWithToken: true }, { language: 'js' }]);
  expect(samples[1]).not.toHaveProperty('isWithToken');
});

test.each([
  ['with-token in the second block', ['```js run', 'x', '```', '```js run with-token', 'y', '```'], 4],
  ['an indented mark', ['  ```bash rum', '  echo', '  ```']],
  ['bash rum', ['```bash rum', 'echo', '```']],
  ['ruby run', ['```ruby run', 'puts', '```']],
  ['bash run twice', ['```bash run twice', 'echo', '```']],
  ['output alone', ['```text output', '1', '```']],
])('%s: a mark that would not be run is refused', (_name, lines, line = 1) => {
  expect(() => extractSamples('a.md', page(...lines))).toThrow(`a.md:${line}: `);
});
