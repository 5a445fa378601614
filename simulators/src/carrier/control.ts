// What a test has asked of the carrier: rules that are looked at before the number decides. In memory, for one process.
import { BadPlan, type Plan, planForNumber, planOf } from './plan.ts';

type Match = { any: true } | { to: string } | { sendId: string };
type Rule = { readonly id: string; readonly match: Match; readonly plan: Plan; times: number | null };

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

  /** The newest rule that fits, which has then been used once; otherwise what the number says. */
  planFor(message: Addressed): Plan {
    const rule = this.#rules.findLast(({ match }) => fits(match, message));
    if (rule === undefined) return planForNumber(message.to);
    if (rule.times !== null) rule.times--;
    this.#rules = this.#rules.filter(({ times }) => times !== 0);
    return rule.plan;
  }
}

const describe = ({ id, match, plan, times }: Rule) => ({ id, match, behaviour: plan.text, times });

function fits(match: Match, { to, sendId }: Addressed): boolean {
  if ('any' in match) return true;
  return 'to' in match ? match.to === to : match.sendId === sendId;
}

function readRule(wish: unknown): Omit<Rule, 'id'> {
  if (typeof wish !== 'object' || wish === null) throw new BadPlan('the rule must be a JSON object');
  const { match, behaviour, times = null } = wish as Record<string, unknown>;
  if (typeof behaviour !== 'string' || behaviour.trim() === '') throw new BadPlan('behaviour must be text');
  if (times !== null && !(Number.isInteger(times) && Number(times) > 0)) throw new BadPlan('times must be 1 or more');
  return { match: readMatch(match), plan: planOf(behaviour), times: times === null ? null : Number(times) };
}

function readMatch(match: unknown): Match {
  const { any, to, sendId } = (match ?? {}) as Record<string, unknown>;
  if (any === true) return { any };
  if (typeof to === 'string') return { to };
  if (typeof sendId === 'string') return { sendId };
  throw new BadPlan('match must be {"any":true}, {"to":"+44…"} or {"sendId":"…"}');
}
