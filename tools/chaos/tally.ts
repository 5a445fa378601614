// What the run counts and what it finds wrong while it runs. Findings are grouped by subject, with the first
// few in words: a fault that happens a thousand times needs no thousand lines.
export type Findings = { count: number; readonly examples: string[] };

const EXAMPLES_MAX = 5;

/** What a drill must say about a planted mistake: a finding, and its words where the same finding may have other causes. */
export type Sign = { readonly about: RegExp; readonly example?: RegExp };

export type Tally = {
  readonly findings: Map<string, Findings>;
  /** Operations with a definite answer, and the HTTP requests they took. */
  operations: number;
  requests: number;
  /** Requests whose connection a kill broke. */
  cut: number;
  readonly statuses: Map<number, number>;
  longestWaitMs: number;
  readonly logErrors: Map<string, number>;
  find(about: string, what: string): void;
};

export function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export function createTally(): Tally {
  const findings = new Map<string, Findings>();
  return {
    findings,
    operations: 0,
    requests: 0,
    cut: 0,
    statuses: new Map(),
    longestWaitMs: 0,
    logErrors: new Map(),
    find(about, what) {
      const found = findings.get(about) ?? { count: 0, examples: [] };
      found.count += 1;
      if (found.examples.length < EXAMPLES_MAX) found.examples.push(what);
      findings.set(about, found);
    },
  };
}

/** Whether a drill found what was planted, and not merely something. */
export const hasFound = ({ findings }: Tally, { about, example = /^/ }: Sign): boolean =>
  [...findings].some(([name, { examples }]) => about.test(name) && examples.some((each) => example.test(each)));
