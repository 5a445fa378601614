import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** What the entry point says and answers, as a Node of this version. */
function startAs(version: string) {
  const main = new URL('../main.ts', import.meta.url).href;
  const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' });
    process.argv.push('--version'); await import('${main}')`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script, 'main.ts'], { encoding: 'utf8' });
}

test('a Node below 24 is refused by name, before anything else is loaded', () => {
  const { status, stdout, stderr } = startAs('22.18.0');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Trefoil needs Node 24 or later; this is 22\.18\.0\./);
  expect(startAs('24.0.0').stderr).not.toContain('needs Node');
});
