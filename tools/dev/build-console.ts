// Builds the console where it has not been built yet. A developer who changes it keeps `npm run console -- --watch` running.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const DIST = `${root}console/dist`;

export function buildMissingConsole(): void {
  if (existsSync(`${DIST}/index.html`)) return;
  console.error('Building the console, once …');
  // Under another name until it is whole: another server that starts meanwhile must not read half of it.
  const unfinished = `${DIST}-${process.pid}`;
  // What it prints goes to standard error: standard output may be one line of JSON.
  const options = ['run', '-s', 'console', '--', '--outDir', unfinished];
  const { status } = spawnSync('npm', options, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) console.error('The console could not be built: /console says so. All else works.');
  else if (!existsSync(`${DIST}/index.html`)) {
    rmSync(DIST, { recursive: true, force: true });
    renameSync(unfinished, DIST);
  }
  rmSync(unfinished, { recursive: true, force: true });
}
