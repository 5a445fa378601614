// Two verdicts about one request: the stricter one holds. A missing verdict never counts as "allow".
import type { ScreeningOutcome } from '../port.ts';

const STRICTNESS = { allow: 0, challenge: 1, block: 2 } as const;

export function stricterOf(provider: ScreeningOutcome, house: ScreeningOutcome): ScreeningOutcome {
  // If one of them blocks a request it is blocked, whatever the other would have decided.
  if (provider.kind === 'unavailable') return house.kind === 'block' ? house : provider;
  if (house.kind === 'unavailable') return provider.kind === 'block' ? provider : house;
  const kind = STRICTNESS[house.kind] > STRICTNESS[provider.kind] ? house.kind : provider.kind;
  return { kind, reasons: [...provider.reasons, ...house.reasons] };
}
