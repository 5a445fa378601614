// What the mail server does with one recipient, given as text by a rule: `refuse=550`, `greylist`, `slow=500`, `drop`,
// `lost`, `spam`. In memory, for one process.
export const MAIL_BEHAVIOURS = ['accept', 'refuse', 'greylist', 'slow', 'drop', 'lost', 'spam'] as const;

/** `drop` hangs up before the mail arrives; `lost` accepts it and hangs up without a response. */
export type Plan = { readonly text: string; readonly kind: (typeof MAIL_BEHAVIOURS)[number]; readonly value: number };

export class BadPlan extends Error {}

const DEFAULTS: Partial<Record<Plan['kind'], number>> = { refuse: 550, greylist: 451, slow: 1_000, spam: 554 };

export const ACCEPT: Plan = { text: 'accept', kind: 'accept', value: 0 };

export function planOf(text: string): Plan {
  const [name = '', value] = text.trim().split('=', 2);
  const kind = MAIL_BEHAVIOURS.find((known) => known === name);
  if (kind === undefined) throw new BadPlan(`no behaviour '${name}': there are ${MAIL_BEHAVIOURS.join(', ')}`);
  if (value !== undefined && !/^\d{1,6}$/.test(value)) throw new BadPlan(`${name} takes a whole number`);
  return { text, kind, value: value === undefined ? (DEFAULTS[kind] ?? 0) : Number(value) };
}

type Match = { readonly any: true } | { readonly to: string };
type Rule = { readonly id: string; readonly match: Match; readonly plan: Plan; times: number | null };

export class MailControl {
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

  /** The newest matching rule, which then counts as used once. */
  planFor(to: string): Plan {
    const rule = this.#rules.findLast(({ match }) => 'any' in match || match.to === to);
    if (rule === undefined) return ACCEPT;
    if (rule.times !== null) rule.times--;
    this.#rules = this.#rules.filter(({ times }) => times !== 0);
    return rule.plan;
  }
}

const describe = ({ id, match, plan, times }: Rule) => ({ id, match, behaviour: plan.text, times });

function readRule(wish: unknown): Omit<Rule, 'id'> {
  if (typeof wish !== 'object' || wish === null) throw new BadPlan('the rule must be a JSON object');
  const { match, behaviour, times = null } = wish as Record<string, unknown>;
  if (typeof behaviour !== 'string') throw new BadPlan('behaviour must be text');
  if (times !== null && !(Number.isInteger(times) && Number(times) > 0)) throw new BadPlan('times must be 1 or more');
  return { match: readMatch(match), plan: planOf(behaviour), times: times === null ? null : Number(times) };
}

function readMatch(match: unknown): Match {
  const { any, to } = (match ?? {}) as Record<string, unknown>;
  if (any === true) return { any };
  if (typeof to === 'string') return { to: to.toLowerCase() };
  throw new BadPlan('match must be {"any":true} or {"to":"ada@example.com"}');
}
