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

test.each([
  ['bash rum', ['```bash rum', 'echo', '```']],
  ['ruby run', ['```ruby run', 'puts', '```']],
  ['bash run twice', ['```bash run twice', 'echo', '```']],
  ['output alone', ['```text output', '1', '```']],
])('%s: a mark that would not be run is refused', (_name, lines) => {
  expect(() => extractSamples('a.md', page(...lines))).toThrow(/a\.md:1/);
});
