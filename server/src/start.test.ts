import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START = join(ROOT, 'server/src/start.js');

const versionOf = (node: string) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);

/** A Node of this machine that cannot run the service, if it has one. */
const older = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((path) => existsSync(path) && Number.parseInt(versionOf(path), 10) < 24);

test('a Node below 24 is refused by name, by the program and by the two commands of a checkout that run it', ({
  skip,
}) => {
  if (older === undefined) return skip('no Node below 24 is in the PATH');
  const { dev, trefoil } = manifest.scripts;
  for (const command of [`exec node ${START}`, dev, trefoil]) {
    const env = { PATH: `${dirname(older)}${delimiter}/bin` };
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', `${command} --help`], {
      ...{ cwd: ROOT, env, encoding: 'utf8' },
    });
    expect([status, stdout], command).toEqual([1, '']);
    expect(stderr, command).toMatch(`Trefoil needs Node 24 or later; this is ${versionOf(older)}. `);
  }
});

test('what starts the service asks for the version first', () => {
  expect(spawnSync(process.execPath, [START, '--version'], { encoding: 'utf8' }).stdout).toMatch(/^trefoil \d/);
  const starters = [
    ...['deploy/Dockerfile', 'tools/package/assemble.ts', 'deploy/compose/prepare'],
    ...['migrate', 'worker', 'api@'].map((name) => `deploy/systemd/trefoil-${name}.service`),
  ];
  for (const file of starters) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect([text.includes('server/src/start.js'), text.includes('server/src/main.ts')], file).toEqual([true, false]);
  }
});
