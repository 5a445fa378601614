// The steps that a change must pass, and the only list of them: `npm run verify`, `.ci/run` and the workflow's jobs all
// run this list. A step is an npm script, or a file of `.ci`. No step judges how long something took: what does, or takes long, is
// a check of `npm run prove` (tools/prove/checks.ts).
// Decisions: docs/decisions/0191-one-list-of-steps.md, 0264-the-gate-and-the-proofs.md.

export type Step = {
  /** A group is a job of the workflow. */
  readonly group: string;
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  /** How long it may hang, if that is not LIMIT_MINUTES. */
  readonly limitMinutes?: number;
  /** Whether it is run once more when it fails, unless it ends with GRAVE. The tests repeat their own files. */
  readonly isRepeated: boolean;
  /** Whether it runs beside the steps after it: it waits, or needs one processor of two. Its output is shown when it has ended. */
  readonly isBeside?: true;
};

/** A step that hangs ends after this time and is named; otherwise the machine would end the whole run without a word. */
export const LIMIT_MINUTES = 10;

/**
 * The exit code of a step that found that the books do not add up, a credit was lost or charged twice, a fourth guess was judged,
 * another tenant's row was seen, or an event was lost. No repeat clears it.
 */
export const GRAVE = 3;

/** Random cases of the tests come from this number, the same in every run. `npm run prove` explores with others. */
export const SEED = 20_261_118;

const script = (name: string, ...options: string[]): Step['command'] => ['npm', 'run', '-s', name, '--', ...options];
const once = (group: string, title: string, command: Step['command']): Step => ({
  ...{ group, title, command },
  isRepeated: false,
});
/** For steps that judge other programs beside ours: a registry, a browser, a shell. */
const repeated = (group: string, title: string, command: Step['command']): Step => ({
  ...{ group, title, command },
  isRepeated: true,
});
const beside = (step: Step): Step => ({ ...step, isBeside: true });

export const STEPS: readonly Step[] = [
  once('static', 'format and lint', script('lint')),
  beside(once('static', 'types', script('types'))),
  once('static', 'unused code and dependencies', script('knip')),
  once('static', 'openapi.json against the contract', script('openapi', '--check')),
  once('static', 'openapi.json against the last release', script('api-changes')),
  once('static', 'the table of test values against the contract', script('test-catalogue', '--check')),
  once('static', 'dashboards and objectives against their description', script('dashboards', '--check')),
  repeated('static', 'alerts, each fired and not fired', script('rules')),
  repeated('tests', 'the console, which tests open in a browser', script('console')),
  { ...once('tests', 'tests', script('test:all')), limitMinutes: 40 },
  beside(repeated('kit', 'conformance, without the rows that wait minutes', ['.ci/conformance'])),
  repeated('sdk', 'the client library, packed and installed', script('sdk-package')),
  repeated('site', 'the documentation site', script('site')),
  once('site', 'links of the site', script('site:links')),
  repeated('site', 'samples of the documents', script('samples')),
];

/** What a developer runs before a push. */
const VERIFY: readonly string[] = ['static', 'tests'];

export const GROUPS: readonly string[] = [...new Set(STEPS.map(({ group }) => group))];

export class UsageError extends Error {}

/** The steps of these groups, or of all groups without a name. `verify` is short for what a developer runs. */
export function planSteps(names: readonly string[]): readonly Step[] {
  const chosen = new Set(names.length === 0 ? GROUPS : names.flatMap((name) => (name === 'verify' ? VERIFY : name)));
  const unknown = [...chosen].find((group) => !GROUPS.includes(group));
  if (unknown !== undefined) {
    throw new UsageError(
      `There is no group ${unknown}. Groups: ${GROUPS.join(', ')}; verify is ${VERIFY.join(' and ')}.`,
    );
  }
  return STEPS.filter(({ group }) => chosen.has(group));
}
