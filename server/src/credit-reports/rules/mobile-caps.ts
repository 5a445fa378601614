// How often one mobile number may be used in 24 hours, over all tenants and challenges (docs/decisions/0035). Counts
// come in; nobody's number does.
export type MobileUses = { readonly challenges: number; readonly messages: number; readonly mistakes: number };

export const CHALLENGES_MAX = 5;
export const MESSAGES_MAX = 10;
export const MISTAKES_MAX = 15;

/** A new challenge sends a message at once, so it needs room for both. */
export function mayChallenge({ challenges, messages, mistakes }: MobileUses): boolean {
  return challenges < CHALLENGES_MAX && messages < MESSAGES_MAX && mistakes < MISTAKES_MAX;
}

export function mayMessage({ messages, mistakes }: MobileUses): boolean {
  return messages < MESSAGES_MAX && mistakes < MISTAKES_MAX;
}

/** With these used up no code is examined any more, right or wrong. */
export function mayGuess({ mistakes }: MobileUses): boolean {
  return mistakes < MISTAKES_MAX;
}
