// The steps that a change must pass, and the only list of them: `npm run verify`, `.ci/run` and the workflow's jobs all
// run this list. A step is an npm script, or a file of `.ci`. Decision: docs/decisions/0191-one-list-of-steps.md.

export type Step = {
  /** Steps of one group run one after another; a group is a job of the workflow. */
  readonly group: string;
  readonly title: string;
  readonly command: readonly [string, ...string[]];
};

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
  { group: 'tests', title: 'tests', command: script('test:all') },
  { group: 'sdk', title: 'the client library, packed and installed', command: script('sdk-package') },
  { group: 'docs', title: 'the documentation site', command: script('site') },
  { group: 'docs', title: 'links of the site', command: script('site:links') },
  { group: 'docs', title: 'pages of the site in a browser', command: script('site:browse') },
  { group: 'docs', title: 'samples of the documents', command: script('samples') },
  { group: 'chaos', title: 'nodes killed under load, in short', command: script('chaos', '--short') },
  { group: 'faults', title: 'what the service stands on fails, in short', command: script('faults', '--short') },
  {
    group: 'speed',
    title: 'speed against the bare engine, in short and without its bars',
    command: script('bench', '--seconds', '1', '--wallets', '20'),
  },
  { group: 'conformance', title: 'conformance, the five minutes included', command: ['.ci/conformance'] },
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
