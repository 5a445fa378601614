// A test's rules for a key service, and the log of its calls. Both are in memory, for one process. The log never holds
// a key, a plaintext or a ciphertext.
import { type Behaviours, join, parseBehaviours, writeBehaviours } from '../behaviours.ts';
import { BadRule } from '../control.ts';

/** What a rule can match. It is read before the caller is authenticated. */
export type Seen = {
  readonly action: string;
  /** Every name of the key that the request uses. */
  readonly keys: readonly string[];
};

type Match = { any: true } | { action: string } | { key: string };
type Rule = { readonly id: string; readonly match: Match; readonly behaviour: Behaviours; times: number | null };

type LoggedCall = {
  readonly action: string;
  readonly key: string | null;
  readonly at: string;
  readonly behaviour: string;
  /** The status of the undamaged answer: the caller of a hung call receives none. */
  readonly status: number;
};

/** The log drops its oldest entries beyond this. */
const CALLS_MAX = 50_000;

export class KeyControl {
  #rules: Rule[] = [];
  #calls: LoggedCall[] = [];
  #lastRule = 0;

  add(wish: unknown): object {
    const rule = { id: `rule-${++this.#lastRule}`, ...readRule(wish) };
    this.#rules.push(rule);
    return describe(rule);
  }

  rules(): readonly object[] {
    return this.#rules.map(describe);
  }

  calls(): readonly LoggedCall[] {
    return this.#calls;
  }

  clear(): void {
    this.#rules = [];
    this.#calls = [];
  }

  /** The behaviours of every matching rule; each of them then counts as used once. */
  take(seen: Seen): Behaviours {
    const fitting = this.#rules.filter(({ match }) => fits(match, seen));
    for (const rule of fitting) if (rule.times !== null) rule.times--;
    this.#rules = this.#rules.filter(({ times }) => times !== 0);
    return join(...fitting.map(({ behaviour }) => behaviour));
  }

  /** Called before the response, so that a hung or reset call is in the log too. */
  record({ action, keys }: Seen, behaviours: Behaviours, status: number): void {
    const at = new Date().toISOString();
    this.#calls.push({ action, key: keys[0] ?? null, at, behaviour: writeBehaviours(behaviours), status });
    if (this.#calls.length > CALLS_MAX) this.#calls.splice(0, this.#calls.length - CALLS_MAX);
  }
}

const describe = ({ id, match, behaviour, times }: Rule) => ({
  ...{ id, match, times },
  behaviour: writeBehaviours(behaviour),
});

function fits(match: Match, { action, keys }: Seen): boolean {
  if ('any' in match) return true;
  return 'action' in match ? match.action === action : keys.includes(match.key);
}

function readRule(wish: unknown): Omit<Rule, 'id'> {
  if (typeof wish !== 'object' || wish === null) throw new BadRule('the rule must be a JSON object');
  const { match, behaviour, times = null } = wish as Record<string, unknown>;
  if (typeof behaviour !== 'string' || behaviour.trim() === '') throw new BadRule('behaviour must be text');
  if (times !== null && !(Number.isInteger(times) && Number(times) > 0)) throw new BadRule('times must be 1 or more');
  const behaviours = parseBehaviours(behaviour);
  if (behaviours.has('held')) throw new BadRule('a key service holds no answer: use slow or hang');
  return {
    match: readMatch(match),
    behaviour: behaviours,
    times: times === null ? null : Number(times),
  };
}

function readMatch(match: unknown): Match {
  const { any, action, key } = (match ?? {}) as Record<string, unknown>;
  if (any === true) return { any };
  if (typeof action === 'string') return { action };
  if (typeof key === 'string') return { key };
  throw new BadRule('match must be {"any":true}, {"action":"…"} or {"key":"…"}');
}
