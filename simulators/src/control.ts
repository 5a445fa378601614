// A test's rules for the simulator, and the simulator's log. Both are in memory, for one process.
import { type Behaviours, join, parseBehaviours, writeBehaviours } from './behaviours.ts';
import { Held } from './held.ts';
import { foldName } from './people/names.ts';

export type CallKind = 'enquiry' | 'pick' | 'poll' | 'token';

const CALL_KINDS: readonly CallKind[] = ['enquiry', 'pick', 'poll', 'token'];

/** What a rule can match. */
export type Seen = {
  readonly call: CallKind;
  readonly enquiryId?: string;
  readonly lastName?: string;
  readonly person?: string | null;
};

type Match = { any: true } | { lastName: string } | { person: string } | { enquiryId: string };

type Rule = { id: string; match: Match; behaviour: Behaviours; times: number | null; call: CallKind };

type LoggedCall = { readonly call: CallKind; readonly at: string; readonly behaviour: string };

type LoggedEnquiry = {
  readonly enquiryId: string;
  readonly person: string | null;
  readonly lastName: string;
  readonly firstAt: string;
  enquiries: number;
  readonly calls: LoggedCall[];
};

/** The log drops its oldest entries beyond this, so that a long load run does not use up the memory. */
const LOG_MAX = 50_000;

export class BadRule extends Error {}

export class Control {
  #rules: Rule[] = [];
  #log = new Map<string, LoggedEnquiry>();
  #lastRule = 0;
  /** What rules of this simulator hold. */
  readonly held = new Held();

  add(wish: unknown): object {
    const word = (wish as { release?: unknown } | null)?.release;
    if (typeof word === 'string') return this.#release(word);
    const rule = { id: `rule-${++this.#lastRule}`, ...readRule(wish) };
    this.#rules.push(rule);
    return describe(rule);
  }

  /** Lets go what `held=word` holds, and holds nothing more under this word. */
  #release(word: string): object {
    this.#rules = this.#rules.filter(({ behaviour }) => behaviour.get('held') !== word);
    this.held.release(word);
    return {};
  }

  rules(): readonly object[] {
    return this.#rules.map(describe);
  }

  enquiries(): readonly LoggedEnquiry[] {
    return [...this.#log.values()];
  }

  clear(): void {
    this.#rules = [];
    this.#log.clear();
    this.held.releaseAll();
  }

  /** The behaviours of every matching rule; each of them then counts as used once. */
  take(seen: Seen): Behaviours {
    const fitting = this.#rules.filter((rule) => fits(rule, seen));
    for (const rule of fitting) if (rule.times !== null) rule.times--;
    this.#rules = this.#rules.filter(({ times }) => times !== 0);
    return join(...fitting.map(({ behaviour }) => behaviour));
  }

  /** Called before the response, so that a hung or reset call is in the log too. */
  record(seen: Seen, behaviours: Behaviours, at: string): void {
    const { enquiryId = '', person = null, lastName = '', call } = seen;
    const entry = this.#log.get(enquiryId) ?? { enquiryId, person, lastName, firstAt: at, enquiries: 0, calls: [] };
    if (call === 'enquiry') entry.enquiries++;
    entry.calls.push({ call, at, behaviour: writeBehaviours(behaviours) });
    this.#log.set(enquiryId, entry);
    if (this.#log.size > LOG_MAX) {
      const [oldest] = this.#log.keys();
      if (oldest !== undefined) this.#log.delete(oldest);
    }
  }
}

function describe({ id, match, behaviour, times, call }: Rule): object {
  return { id, match, behaviour: writeBehaviours(behaviour), times, call };
}

function fits({ match, call }: Rule, seen: Seen): boolean {
  if (call !== seen.call) return false;
  if ('any' in match) return true;
  if ('lastName' in match) return foldName(match.lastName) === foldName(seen.lastName ?? '');
  if ('person' in match) return match.person === seen.person;
  return match.enquiryId === seen.enquiryId;
}

function readRule(wish: unknown): Omit<Rule, 'id'> {
  if (typeof wish !== 'object' || wish === null) throw new BadRule('the rule must be a JSON object');
  const { match, behaviour, times = null, call = 'enquiry' } = wish as Record<string, unknown>;
  if (typeof behaviour !== 'string' || behaviour.trim() === '') throw new BadRule('behaviour must be text');
  if (times !== null && !(Number.isInteger(times) && Number(times) > 0)) throw new BadRule('times must be 1 or more');
  const kind = CALL_KINDS.find((known) => known === call);
  if (!kind) throw new BadRule(`call must be one of ${CALL_KINDS.join(', ')}`);
  return {
    match: readMatch(match),
    behaviour: parseBehaviours(behaviour),
    times: times === null ? null : Number(times),
    call: kind,
  };
}

function readMatch(match: unknown): Match {
  if (typeof match === 'object' && match !== null) {
    const { any, lastName, person, enquiryId } = match as Record<string, unknown>;
    if (any === true) return { any };
    if (typeof lastName === 'string') return { lastName };
    if (typeof person === 'string') return { person };
    if (typeof enquiryId === 'string') return { enquiryId };
  }
  throw new BadRule('match must be {"any":true}, {"lastName":"…"}, {"person":"…"} or {"enquiryId":"…"}');
}
