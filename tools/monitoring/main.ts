// Writes deploy/grafana/*.json and deploy/prometheus/trefoil-objectives.yml from their descriptions in this folder. With --check
// it writes nothing and fails when a committed file differs.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { DASHBOARDS } from './dashboards.ts';
import { dashboardJson } from './grafana.ts';
import { objectiveRules } from './objectives.ts';

const ROOT = new URL('../../', import.meta.url);
const FOLDER = 'deploy/grafana';

const generated = new Map([
  ['deploy/prometheus/trefoil-objectives.yml', objectiveRules()],
  ...DASHBOARDS.map((dashboard) => [`${FOLDER}/${dashboard.id}.json`, dashboardJson(dashboard)] as const),
]);

const isCheck = process.argv.includes('--check');
for (const [path, content] of generated) {
  const file = new URL(path, ROOT);
  if (!isCheck) {
    await writeFile(file, content);
    console.log(`wrote ${path}`);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== content) {
    console.error(`${path} is not what tools/monitoring generates. Run: npm run dashboards`);
    process.exitCode = 1;
  }
}
// A dashboard that was renamed would leave its old file behind, and an operator would install both.
for (const name of await readdir(new URL(FOLDER, ROOT))) {
  if (generated.has(`${FOLDER}/${name}`)) continue;
  console.error(`${FOLDER}/${name} belongs to no dashboard. Delete it.`);
  process.exitCode = 1;
}
