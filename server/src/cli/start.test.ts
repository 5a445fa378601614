// What a command line costs before it answers, counted in loaded modules: a count does not depend on how busy the machine is.
// And how the program calls itself, in a checkout and where it was installed.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SOURCES = fileURLToPath(new URL('../', import.meta.url));
const MAIN = join(SOURCES, 'main.ts');

/** Prints the number of modules that were loaded, Node's own not counted, as the last line of standard error. */
const COUNTER = `
  import { registerHooks } from 'node:module';
  let count = 0;
  registerHooks({ load(url, context, next) { if (!url.startsWith('node:')) count += 1; return next(url, context); } });
  process.on('exit', () => process.stderr.write('\\n' + count));
`;
const COUNTING = ['--import', `data:text/javascript,${encodeURIComponent(COUNTER)}`];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trefoil-start-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Run = { readonly stdout: string; readonly stderr: string; readonly modules: number };

const run = (main: string, ...words: string[]) =>
  new Promise<Run>((resolve) => {
    // What one run has compiled the next one reads: half of the time of a start. It changes nothing in what is loaded.
    const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
    execFile(process.execPath, [...COUNTING, main, ...words], { env }, (_error, stdout, stderr) => {
      const lines = stderr.split('\n');
      resolve({ stdout, stderr: lines.slice(0, -1).join('\n'), modules: Number(lines.at(-1)) });
    });
  });

describe('modules that are loaded', () => {
  test.each(['--version', '-v', 'version'])('%s: hardly any', async (word) => {
    const { stdout, modules } = await run(MAIN, word);
    expect(stdout).toMatch(/^trefoil \d/);
    expect(modules).toBeGreaterThan(0);
    expect(modules).toBeLessThanOrEqual(20);
  });

  // The contract's schemas are 400 of them.
  test.each([
    ['help', 800],
    ['tenant create --help', 700],
    ['keys new --only hash', 550],
  ])('%s: no more than %i, without the adapters, the mail and the passkeys', async (line, max) => {
    const { stdout, modules } = await run(MAIN, ...line.split(' '));
    expect(stdout).not.toBe('');
    expect(modules).toBeLessThanOrEqual(max);
  });
});

describe('the name of the program', () => {
  let installed: string;
  beforeAll(() => {
    // As `npm run package` lays it out.
    cpSync(SOURCES, join(folder, 'server/src'), { recursive: true });
    cpSync(join(SOURCES, '../package.json'), join(folder, 'server/package.json'));
    mkdirSync(join(folder, 'server/web'));
    symlinkSync(join(SOURCES, '../../node_modules'), join(folder, 'node_modules'));
    symlinkSync(join(SOURCES, '../node_modules'), join(folder, 'server/node_modules'));
    installed = join(folder, 'server/src/main.ts');
  });

  const LINES = ['help', 'frobnicate', 'tenant create'];
  test.each(LINES)('%s: trefoil where it was installed, npm run trefoil in a checkout', async (line) => {
    const words = line.split(' ');
    const [here, there] = await Promise.all([run(MAIN, ...words), run(installed, ...words)]);
    const inCheckout = here.stdout + here.stderr;
    const inPackage = there.stdout + there.stderr;
    expect(inPackage).not.toBe('');
    expect(inPackage).not.toContain('npm run');
    // Apart from the name they say the same.
    expect(inPackage).toBe(inCheckout.replaceAll('npm run trefoil -- ', 'trefoil '));
  });
});
