// Checks the files in deploy/prometheus with promtool and amtool, and tests every alert: one case must fire it, and
// one must not. A rule without both cases fails the run.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { alertCases } from './alert-cases.ts';
import { objectiveCases } from './objective-cases.ts';
import { OBJECTIVES } from './objectives.ts';
import { checkConfig, checkRules, PromtoolError, readGroups, testRules } from './promtool.ts';

const FOLDER = 'deploy/prometheus';
const FILES = [`${FOLDER}/trefoil-alerts.yml`, `${FOLDER}/trefoil-objectives.yml`];

try {
  await checkRules(...FILES);
  for (const name of ['prometheus.yml', 'prometheus-kubernetes.yml']) await checkConfig(`${FOLDER}/${name}`);
  await promisify(execFile)('amtool', ['check-config', `${FOLDER}/alertmanager.yml`]);
  const groups = (await Promise.all(FILES.map(readGroups))).flat();
  const cases = [...alertCases(), ...OBJECTIVES.flatMap(objectiveCases)];
  const alerts = new Set(groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? [])));
  for (const alert of alerts) {
    const own = cases.filter((each) => each.alert === alert);
    const hasBoth = own.some(({ fires }) => fires.length > 0) && own.some(({ fires }) => fires.length === 0);
    if (!hasBoth) throw new PromtoolError(`${alert} needs a case that fires and one that stays silent.`);
  }
  await testRules(groups, cases);
  console.log(`${alerts.size} alerts, ${cases.length} cases: as expected`);
} catch (error) {
  const isMissing = (error as { code?: unknown }).code === 'ENOENT';
  console.error(
    isMissing ? 'amtool is missing. On Debian: apt-get install prometheus-alertmanager' : (error as Error).message,
  );
  process.exitCode = 1;
}
