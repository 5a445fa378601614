// The misbehaviours that a simulator can be given, as text: `slow=2000, duplicate-rows`.
export const BEHAVIOURS = [
  'slow',
  'held',
  'hang',
  'drip',
  'reset',
  'garbage',
  'half',
  'throttle',
  'no-trace',
  'error',
  'maintenance',
  'unknown-codes',
  'huge',
  'duplicate-rows',
  'many',
  'wrong-type',
  'unmasked',
  'negative-money',
  'deep',
  'pick-list',
  'poll',
  'partial',
  'lost',
  'refuse',
  'denied',
  'lie',
  'skew',
  'sealed',
  'expired',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

/** Each with its argument; `""` when none was given. */
export type Behaviours = ReadonlyMap<Behaviour, string>;

export const QUIET: Behaviours = new Map();

export class UnknownBehaviour extends Error {}

export function parseBehaviours(text: string): Behaviours {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return new Map(
    parts.map((part) => {
      const [, name = '', value = ''] = /^([a-z-]+?)(?:[=:]\s*(.*))?$/.exec(part) ?? [];
      if (!isBehaviour(name)) throw new UnknownBehaviour(`no such behaviour: ${part}. Known: ${BEHAVIOURS.join(', ')}`);
      return [name, value] as const;
    }),
  );
}

export function writeBehaviours(behaviours: Behaviours): string {
  return [...behaviours].map(([name, value]) => (value ? `${name}=${value}` : name)).join(', ');
}

/** A later behaviour of the same name wins. */
export function join(...all: readonly Behaviours[]): Behaviours {
  return new Map(all.flatMap((each) => [...each]));
}

/** The number given with a behaviour; undefined when the behaviour is not requested. */
export function amountOf(behaviours: Behaviours, name: Behaviour, usual: number): number | undefined {
  const value = behaviours.get(name);
  if (value === undefined) return undefined;
  const amount = Number(value || usual);
  return Number.isFinite(amount) && amount >= 0 ? amount : usual;
}

/** `Alden Simulate hang`, `Alden-Simulate-slow-2000`: the family name to look up, and the requested behaviours. */
export function behavioursInName(family: string): { readonly family: string; readonly behaviours: Behaviours } {
  const [, name, wish] = /^(.*?)[\s-]+simulate[\s-]+(.+)$/i.exec(family) ?? [];
  if (name === undefined || wish === undefined) return { family, behaviours: QUIET };
  const words = wish.toLowerCase().split(/[\s-]+/);
  // The longest prefix that is a behaviour; the rest is its argument.
  for (let count = words.length; count > 0; count--) {
    const candidate = words.slice(0, count).join('-');
    if (isBehaviour(candidate))
      return { family: name, behaviours: new Map([[candidate, words.slice(count).join('')]]) };
  }
  return { family, behaviours: QUIET };
}

function isBehaviour(name: string): name is Behaviour {
  return BEHAVIOURS.some((known) => known === name);
}
