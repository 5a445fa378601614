// Proves that monitoring works: a real Prometheus and Alertmanager watch a started installation under load. Every query of a
// dashboard and every rule must find its series, a bureau that is gone must fire its alert and no other, and Alertmanager must
// hand it on. Decision: docs/decisions/0250-monitoring-is-drilled.md.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isNoisy, machineText, watchMachine } from '../machine/machine.ts';
import { DASHBOARDS, queriesOf } from '../monitoring/dashboards.ts';
import { answerAlways, selectorsOf, shorten } from './expressions.ts';
import { type Installation, onInstallation } from './installation.ts';
import { judgeAlerts, settlingSeconds } from './judge-alerts.ts';
import { type Load, startLoad } from './load.ts';
import { startWatchers, type Watchers } from './watchers.ts';

const BUREAU_ALERT = 'TrefoilBureauUnavailable';
/**
 * Of deletion by age, whose first look at old rows is five minutes after the start. The usual drill lasts about as long and waits
 * for it; with shorter windows the drill does not ask for it, and says so. Every other series must be there.
 */
const LATE_SERIES = 'trefoil_overdue_seconds';
const LATE_WINDOW_SECONDS = 60;
const PATIENCE_MS = 60_000;
const LOOK_MS = 500;
/** The jobs first run five to six seconds after the start. */
const JOBS_MS = 6_500;

const startedMs = performance.now();
const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
const say = (line: string) => process.stderr.write(`${String(seconds()).padStart(4)} s  ${line}\n`);

async function waitUntil(what: string, isDone: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  while (!(await isDone())) {
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error(`${what}: not within ${PATIENCE_MS / 1_000} s`);
    await sleep(LOOK_MS);
  }
  return (performance.now() - startedMs) / 1_000;
}

type Phase = { readonly watchers: Watchers; readonly windowSeconds: number };

/**
 * Every alert that fired at any time while `work` ran, or that Alertmanager handed on: one look would miss what comes later and
 * what has ended before.
 */
async function findUnexpected(phase: Phase, expected: readonly string[], work: () => Promise<void>): Promise<string[]> {
  const { watchers, windowSeconds } = phase;
  const before = { ms: performance.now(), received: watchers.received.length };
  const machine = watchMachine();
  await work();
  const measured = machine.stop();
  const lasted = Math.ceil((performance.now() - before.ms) / 1_000);
  const fired = await watchers.query(`last_over_time(ALERTS{alertstate="firing"}[${lasted}s])`);
  const labels = [...fired.map(({ metric }) => metric), ...watchers.received.slice(before.received)];
  const names = labels.map((each) => each['alertname'] ?? '');
  const { unexpected, excused } = judgeAlerts(names, { expected, windowSeconds, isNoisy: isNoisy(measured) });
  if (excused.length > 0) say(`not judged: ${excused.join(', ')} (${machineText(measured)})`);
  return [...unexpected];
}

/** Every expression of a dashboard and of a rule, and every series in them. */
async function findEmpty(watchers: Watchers, windowSeconds: number): Promise<{ findings: string[]; asked: number }> {
  const queries = DASHBOARDS.flatMap(queriesOf).map(({ where, expr }) => ({
    where,
    expr: shorten(expr, windowSeconds),
  }));
  const rules = watchers.groups.flatMap(({ name, rules: own }) =>
    own.map(({ alert, record, expr }) => ({ where: `${name}: ${alert ?? record}`, expr: answerAlways(expr) })),
  );
  const findings: string[] = [];
  const seen = new Set<string>();
  // All at this moment: while hundreds are asked, the series of what was provoked leave a short window.
  const atSeconds = Date.now() / 1_000;
  const isEmpty = async (expr: string) =>
    (await watchers.query(expr, atSeconds)).length === 0 &&
    !(windowSeconds < LATE_WINDOW_SECONDS && expr.includes(LATE_SERIES));
  for (const { where, expr } of [...queries, ...rules]) {
    if (await isEmpty(expr)) findings.push(`${where}: no data for ${expr}`);
    for (const selector of selectorsOf(expr)) {
      if (seen.has(selector)) continue;
      seen.add(selector);
      // Over a while: the series of a node that was stopped have ended.
      if (await isEmpty(`last_over_time(${selector}[5m])`)) findings.push(`${where}: no series for ${selector}`);
    }
  }
  return { findings, asked: queries.length + rules.length + seen.size };
}

/** Away for one window more than its alert needs: another alert may take as long. */
async function killBureau({ bureau }: Installation, phase: Phase): Promise<string[]> {
  const { watchers, windowSeconds } = phase;
  const handedOn = () => watchers.received.find((labels) => labels['alertname'] === BUREAU_ALERT);
  const unexpected = await findUnexpected(phase, [BUREAU_ALERT], async () => {
    await bureau.goAway();
    const waited = await waitUntil(`Alertmanager hands ${BUREAU_ALERT} on`, async () => handedOn() !== undefined);
    say(`transunion is gone: Alertmanager handed the alert on after ${waited.toFixed(0)} s`);
    await sleep(windowSeconds * 1_000);
    await bureau.comeBack();
  });
  const findings = unexpected.map((name) => `${name} fires while one bureau is gone`);
  if (handedOn()?.['bureau'] !== 'transunion') findings.push(`${BUREAU_ALERT} names ${handedOn()?.['bureau']}`);
  return findings;
}

/** What appears only after a fault: unknown codes of a bureau, silent screening, a node that is not ready. */
async function provoke({ providers, servers }: Installation, load: Load, seconds: number): Promise<void> {
  const body = JSON.stringify({ match: { any: true }, behaviour: 'unknown-codes' });
  await fetch(`${providers.addresses.albion}/control`, { method: 'POST', body });
  // Before screening is silent: after that hardly a report comes as far as a bureau.
  await sleep(seconds * 1_000);
  load.challengeWith('screening-down');
  load.useFirstOnly();
  const stopped = servers.api[1].stop();
  await sleep(seconds * 1_000);
  await stopped;
}

async function drill(installation: Installation, windowSeconds: number): Promise<string[]> {
  const { servers, folder, monitorUrl } = installation;
  say('the installation is up');
  const load = await startLoad(installation);
  installation.onClose(load.stop);
  const [one, two] = servers.api;
  // Until every job has run once: then no rule sees the start.
  await sleep(JOBS_MS);
  const watchers = await startWatchers({
    ...{ folder, databaseUrl: monitorUrl, windowSeconds },
    metricsPorts: { api: [one.metricsPort, two.metricsPort], worker: servers.worker.metricsPort },
  });
  installation.onClose(watchers.stop);
  say('Prometheus and Alertmanager are up');
  await waitUntil('every target is scraped', async () => (await watchers.listDown()).length === 0);
  await sleep(settlingSeconds(windowSeconds) * 1_000);
  const phase = { watchers, windowSeconds };
  const quiet = await findUnexpected(phase, [], () => sleep(windowSeconds * 1_000));
  const findings = quiet.map((name) => `${name} fires while nothing is wrong`);
  findings.push(...(await killBureau(installation, phase)));
  await provoke(installation, load, Math.max(5, windowSeconds / 2));
  if (windowSeconds < LATE_WINDOW_SECONDS) say(`not asked: ${LATE_SERIES}, which appears after five minutes`);
  else await waitUntil(LATE_SERIES, async () => (await watchers.query(LATE_SERIES)).length > 0);
  const { findings: empty, asked } = await findEmpty(watchers, windowSeconds);
  findings.push(...empty, ...watchers.complaints);
  say(`${asked} expressions and series asked for; answers: ${JSON.stringify(Object.fromEntries(load.answers))}`);
  return findings;
}

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, seconds: { type: 'string' } },
});
const windowSeconds = Number(values.seconds ?? (values.short ? 10 : 60));
if (!(windowSeconds >= 10 && windowSeconds <= 3_600)) {
  say('--seconds takes 10 to 3600: the length of every window. --short is 10, for a look while you write a rule.');
  process.exit(2);
}
try {
  const findings = await onInstallation((installation) => drill(installation, windowSeconds));
  for (const finding of findings) console.log(`FOUND ${finding}`);
  console.log(`scrape drill: ${findings.length === 0 ? 'as expected' : `${findings.length} findings`}, ${seconds()} s`);
  process.exit(findings.length === 0 ? 0 : 1);
} catch (error) {
  say(String(error instanceof Error ? error.stack : error));
  process.exit(2);
}
