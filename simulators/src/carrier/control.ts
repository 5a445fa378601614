// A test's rules for the carrier, which apply before the number decides. In memory, for one process.
import { BadPlan, type Plan, planForNumber, planOf } from './plan.ts';

type Match = { any: true } | { to: string } | { sendId: string };
/** The carrier's call that a rule applies to. */
type Call = 'submit' | 'ask';
type Rule = {
  readonly id: string;
  readonly call: Call;
  readonly match: Match;
  readonly plan: Plan;
  times: number | null;
};

export type Addressed = { readonly to: string; readonly sendId: string | null };

export class CarrierControl {
  #rules: Rule[] = [];
  #lastRule = 0;

  add(wish: unknown): object {
    const rule = { id: `rule-${++this.#lastRule}`, ...readRule(wish) };
    this.#rules.push(rule);
    return describe(rule);
  }

  rules(): readonly object[] {
    return this.#rules.map(describe);
  }

  clear(): void {
    this.#rules = [];
  }

  /** The newest matching rule for submits, which then counts as used once; otherwise the number's plan. */
  planFor(message: Addressed): Plan {
    return this.#use('submit', message) ?? planForNumber(message.to);
  }

  /** The same for asks; undefined when no rule matches. */
  planForAsk(message: Addressed): Plan | undefined {
    return this.#use('ask', message);
  }

  #use(wanted: Call, message: Addressed): Plan | undefined {
    const rule = this.#rules.findLast(({ call, match }) => call === wanted && fits(match, message));
    if (rule === undefined) return undefined;
    if (rule.times !== null) rule.times--;
    this.#rules = this.#rules.filter(({ times }) => times !== 0);
    return rule.plan;
  }
}

const describe = ({ id, call, match, plan, times }: Rule) => ({ id, call, match, behaviour: plan.text, times });

function fits(match: Match, { to, sendId }: Addressed): boolean {
  if ('any' in match) return true;
  return 'to' in match ? match.to === to : match.sendId === sendId;
}

function readRule(wish: unknown): Omit<Rule, 'id'> {
  if (typeof wish !== 'object' || wish === null) throw new BadPlan('the rule must be a JSON object');
  const { match, behaviour, times = null, call = 'submit' } = wish as Record<string, unknown>;
  if (call !== 'submit' && call !== 'ask') throw new BadPlan('call must be submit or ask');
  if (typeof behaviour !== 'string' || behaviour.trim() === '') throw new BadPlan('behaviour must be text');
  if (times !== null && !(Number.isInteger(times) && Number(times) > 0)) throw new BadPlan('times must be 1 or more');
  return { call, match: readMatch(match), plan: planOf(behaviour), times: times === null ? null : Number(times) };
}

function readMatch(match: unknown): Match {
  const { any, to, sendId } = (match ?? {}) as Record<string, unknown>;
  if (any === true) return { any };
  if (typeof to === 'string') return { to };
  if (typeof sendId === 'string') return { sendId };
  throw new BadPlan('match must be {"any":true}, {"to":"+44…"} or {"sendId":"…"}');
}
