// The steps that a change must pass, and the only list of them: `npm run verify`, `.ci/run` and the workflow's jobs all
// run this list. A step is an npm script, or a file of `.ci`. Decision: docs/decisions/0191-one-list-of-steps.md.

export type Step = {
  /** Steps of one group run one after another; a group is a job of the workflow. */
  readonly group: string;
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  /** How long it may take on a slow machine, if that is not LIMIT_MINUTES. */
  readonly limitMinutes?: number;
  /**
   * When it is run once more: `failed` for steps that judge other programs (a browser, a registry, Prometheus) and no credits;
   * `no-verdict` for those that say with exit code 1 what they found, and with another that the run proves nothing. If it ends
   * with 4 twice, only times were missed, on a machine that was too slow: it passes.
   */
  readonly again?: 'failed' | 'no-verdict';
};

/** A step that hangs ends after this time and is named; otherwise the machine would end the whole run without a word. */
export const LIMIT_MINUTES = 15;

const script = (name: string, ...options: string[]): Step['command'] => ['npm', 'run', '-s', name, '--', ...options];

export const STEPS: readonly Step[] = [
  { group: 'static', title: 'format and lint', command: script('lint') },
  { group: 'static', title: 'types', command: script('types') },
  { group: 'static', title: 'unused code and dependencies', command: script('knip') },
  { group: 'static', title: 'openapi.json against the contract', command: script('openapi', '--check') },
  { group: 'static', title: 'openapi.json against the last release', command: script('api-changes') },
  {
    group: 'static',
    title: 'the table of test values against the contract',
    command: script('test-catalogue', '--check'),
  },
  {
    group: 'static',
    title: 'dashboards and objectives against their description',
    command: script('dashboards', '--check'),
  },
  { group: 'static', title: 'alerts, each fired and not fired', command: script('rules') },
  { group: 'tests', title: 'the console, which tests open in a browser', command: script('console') },
  { group: 'tests', title: 'tests', command: script('test:all'), limitMinutes: 60 },
  { group: 'sdk', again: 'failed', title: 'the client library, packed and installed', command: script('sdk-package') },
  { group: 'sdk', again: 'failed', title: 'the example shop with it, in a browser', command: script('web-shop') },
  {
    group: 'package',
    again: 'failed',
    title: 'the package, and the image made of it, started',
    command: script('image', '--check'),
  },
  {
    group: 'watch',
    again: 'failed',
    title: 'Prometheus and Alertmanager watch an installation, in short',
    command: script('scrape-drill', '--short'),
  },
  { group: 'docs', again: 'failed', title: 'the documentation site', command: script('site') },
  { group: 'docs', again: 'failed', title: 'links of the site', command: script('site:links') },
  { group: 'docs', again: 'failed', title: 'pages of the site in a browser', command: script('site:browse') },
  { group: 'docs', again: 'failed', title: 'samples of the documents', command: script('samples') },
  {
    group: 'docs',
    again: 'failed',
    title: 'documents of reports, in short',
    command: script('documents', '--people', '20', '--check', '--out', 'node_modules/.cache/documents'),
  },
  {
    group: 'chaos',
    again: 'no-verdict',
    title: 'nodes killed under load, in short',
    command: script('chaos', '--short'),
    limitMinutes: 30,
  },
  {
    group: 'faults',
    again: 'no-verdict',
    title: 'what the service stands on fails, in short',
    command: script('faults', '--short'),
    limitMinutes: 30,
  },
  {
    group: 'ha',
    again: 'no-verdict',
    title: 'the primary of a cluster killed and cut off, in short',
    command: script('ha', '--short'),
    limitMinutes: 30,
  },
  {
    group: 'restore',
    again: 'no-verdict',
    title: 'a backup restored to a second, in short',
    command: script('restore-drill', '--short'),
  },
  {
    group: 'speed',
    title: 'speed against the bare engine, in short and without its bars',
    command: script('bench', '--seconds', '1', '--wallets', '20'),
  },
  {
    group: 'conformance',
    title: 'conformance, the five minutes included',
    command: ['.ci/conformance'],
    limitMinutes: 30,
  },
];

/** What a developer runs before a push. */
const VERIFY: readonly string[] = ['static', 'tests'];

/** It mostly waits: it starts first, runs beside everything and is awaited last. */
const BESIDE_ALL: readonly string[] = ['conformance'];

export const GROUPS: readonly string[] = [...new Set(STEPS.map(({ group }) => group))];

export type Plan = {
  /** The turns run one after another; the groups of a turn in parallel; the steps of a group one after another. */
  readonly turns: readonly (readonly (readonly Step[])[])[];
  readonly besideAll: readonly (readonly Step[])[];
};

export class UsageError extends Error {}

/** The steps of these groups, or of all groups without a name. `verify` is short for what a developer runs. */
export function planSteps(names: readonly string[]): Plan {
  const chosen = new Set(names.length === 0 ? GROUPS : names.flatMap((name) => (name === 'verify' ? VERIFY : name)));
  const unknown = [...chosen].find((group) => !GROUPS.includes(group));
  if (unknown !== undefined) {
    throw new UsageError(
      `There is no group ${unknown}. Groups: ${GROUPS.join(', ')}; verify is ${VERIFY.join(' and ')}.`,
    );
  }
  const stepsOf = (group: string) => STEPS.filter((step) => step.group === group);
  const groups = GROUPS.filter((group) => chosen.has(group));
  const isBeside = (group: string) => BESIDE_ALL.includes(group);
  return {
    turns: groups.filter((group) => !isBeside(group)).map((group) => [stepsOf(group)]),
    besideAll: groups.filter(isBeside).map(stepsOf),
  };
}

/** Every step of a plan. */
export const stepsOf = ({ turns, besideAll }: Plan): Step[] => [...turns.flat(), ...besideAll].flat();
