// Runs promtool: the checks of rule files, and unit tests from cases. A case's expected annotations are those of its rule.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';

export type Rule = {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};
export type Group = { readonly name: string; readonly rules: readonly Rule[] };

export type RuleCase = {
  readonly name: string;
  readonly alert: string;
  /** Between two samples. */
  readonly interval: string;
  /** Between two evaluations; by default as long. Windows of days are costly to evaluate. */
  readonly evaluateEvery?: string;
  readonly at: string;
  /** Series and their values in promtool's notation. */
  readonly series: Readonly<Record<string, string>>;
  /** The labels of each alert that fires besides those of the rule; empty when it must stay silent. */
  readonly fires: readonly Readonly<Record<string, string>>[];
  /** The groups that are loaded; undefined: only the rule of `alert`. */
  readonly groups?: readonly string[];
};

export class PromtoolError extends Error {}

/** promtool makes a database for each case and writes it through to the disk: in memory that takes a third of the time. */
const MEMORY = '/dev/shm';
const TEMPORARY = existsSync(MEMORY) ? MEMORY : tmpdir();
/** The exit code of `env` for a program that is not there. */
const NOT_FOUND = 127;
const PASSED = /Unit Testing:.*\n +SUCCESS\n+/g;

async function promtool(...options: string[]): Promise<string> {
  try {
    const settings = [`TMPDIR=${TEMPORARY}`, 'promtool'];
    const { stdout } = await promisify(execFile)('env', [...settings, ...options], { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === NOT_FOUND) throw new PromtoolError('promtool is missing. On Debian: apt-get install prometheus');
    const told = `${stdout}${stderr}`.replaceAll(PASSED, '');
    throw new PromtoolError(`promtool ${options.slice(0, 2).join(' ')} failed:\n${told}`);
  }
}

export const checkRules = (...files: string[]) => promtool('check', 'rules', '--lint-fatal', ...files);
export const checkConfig = (file: string) => promtool('check', 'config', '--syntax-only', file);

export async function readGroups(file: string | URL): Promise<readonly Group[]> {
  return (parse(await readFile(file, 'utf8')) as { groups: readonly Group[] }).groups;
}

/** Only what the case needs: promtool evaluates every rule of a file at every step. */
function rulesFor(groups: readonly Group[], { alert, groups: wanted }: RuleCase): Group[] {
  if (wanted) return groups.filter(({ name }) => wanted.includes(name));
  return groups.flatMap(({ name, rules }) => {
    const own = rules.filter((rule) => rule.alert === alert);
    return own.length > 0 ? [{ name, rules: own }] : [];
  });
}

function expectedOf(groups: readonly Group[], { alert, fires }: RuleCase): object[] {
  const rules = groups.flatMap((group) => group.rules).filter((rule) => rule.alert === alert);
  if (rules.length === 0) throw new PromtoolError(`no rule is called ${alert}`);
  return fires.map((labels) => {
    const rule = rules.find((each) => rules.length === 1 || each.labels?.['burn'] === labels['burn']);
    const objective = rule?.expr.match(/\{objective="([^"]+)"\}/)?.[1];
    return {
      exp_labels: { ...rule?.labels, ...(objective !== undefined && { objective }), ...labels },
      exp_annotations: rule?.annotations ?? {},
    };
  });
}

/** Rejects with promtool's words when a case does not come out as it says. */
export async function testRules(groups: readonly Group[], cases: readonly RuleCase[]): Promise<void> {
  const folder = await mkdtemp(join(TEMPORARY, 'trefoil-rules-'));
  try {
    const files = await Promise.all(
      cases.map(async (each, number) => {
        const rules = join(folder, `rules-${number}.yml`);
        await writeFile(rules, stringify({ groups: rulesFor(groups, each) }));
        const test = {
          rule_files: [rules],
          evaluation_interval: each.evaluateEvery ?? each.interval,
          tests: [
            {
              name: each.name,
              interval: each.interval,
              input_series: Object.entries(each.series).map(([series, values]) => ({ series, values })),
              alert_rule_test: [{ eval_time: each.at, alertname: each.alert, exp_alerts: expectedOf(groups, each) }],
            },
          ],
        };
        const file = join(folder, `test-${number}.yml`);
        // JSON is YAML, and quick to write for series of thousands of values.
        await writeFile(file, JSON.stringify(test));
        return file;
      }),
    );
    // It takes one file after another. The costly cases are neighbours, so neighbours go to different processes.
    const count = Math.min(files.length, availableParallelism());
    const share = (place: number) => files.filter((_, number) => number % count === place);
    await Promise.all(Array.from({ length: count }, (_, place) => promtool('test', 'rules', ...share(place))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
