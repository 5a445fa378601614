// What needs a person's attention now, from what the cards of Home know. Pure: `now` comes in.
import type { Bureau, FailingEndpoint } from '../api/home-queries.ts';
import { runwayDays } from '../format/runway.ts';
import type { BureauId } from '../format/words.ts';

export type Alert =
  | { readonly kind: 'empty' | 'held' }
  | { readonly kind: 'below-limit'; readonly limitCredits: number }
  | { readonly kind: 'short'; readonly days: number }
  | {
      readonly kind: 'bureau';
      readonly bureau: BureauId;
      readonly isFailing: boolean;
      readonly since: string | null;
      /** Another bureau answers. */
      readonly hasOther: boolean;
    }
  | { readonly kind: 'endpoint'; readonly endpoint: FailingEndpoint }
  | { readonly kind: 'secret'; readonly credential: string; readonly isLast: boolean; readonly endsAt: string };

/** Time enough for a transfer from a bank. */
export const SHORT_DAYS = 3;
/** The usual grace is a day; a longer one is told in its last days. */
const ENDING_MS = 3 * 86_400_000;

type Money = {
  readonly wallet: { readonly balance: number; readonly available: number } | undefined;
  readonly weekCredits: number | undefined;
  /** Null: the company has set none. Undefined: not known, or not for this person. */
  readonly limitCredits: number | null | undefined;
};

/** The most pressing one: three alerts about one balance would be two too many. */
export function moneyAlert({ wallet, weekCredits, limitCredits }: Money): Alert | undefined {
  if (!wallet) return undefined;
  if (wallet.available <= 0) return { kind: wallet.balance > 0 ? 'held' : 'empty' };
  const days = weekCredits === undefined ? undefined : runwayDays(wallet.available, weekCredits);
  if (limitCredits != null && wallet.balance < limitCredits) return { kind: 'below-limit', limitCredits };
  return days !== undefined && days < SHORT_DAYS ? { kind: 'short', days } : undefined;
}

export function bureauAlerts(bureaus: readonly Bureau[] = []): Alert[] {
  const answering = bureaus.filter(({ state }) => state === 'answering' || state === 'unsteady');
  return bureaus.flatMap(({ bureau, state, since }) => {
    if (state !== 'failing' && state !== 'unsteady') return [];
    const hasOther = answering.some((other) => other.bureau !== bureau);
    return [{ kind: 'bureau' as const, bureau, isFailing: state === 'failing', since, hasOther }];
  });
}

export const endpointAlerts = (endpoints: readonly FailingEndpoint[] = []): Alert[] =>
  endpoints.map((endpoint) => ({ kind: 'endpoint', endpoint }));

type Credential = {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly isTestOnly: boolean;
  readonly secrets: readonly { readonly endsAt: string | null }[];
};

/** Secrets of working credentials that end soon; those of test-only credentials belong to test mode. */
export function secretAlerts(credentials: readonly Credential[] = [], isTest: boolean, now: Date): Alert[] {
  return credentials
    .filter(({ isEnabled, isTestOnly }) => isEnabled && isTestOnly === isTest)
    .flatMap(({ name, secrets }) =>
      secrets.flatMap(({ endsAt }): Alert[] => {
        const leftMs = endsAt === null ? Number.POSITIVE_INFINITY : new Date(endsAt).getTime() - now.getTime();
        if (endsAt === null || leftMs <= 0 || leftMs > ENDING_MS) return [];
        const isLast = secrets.every((each) => each.endsAt !== null && each.endsAt <= endsAt);
        return [{ kind: 'secret', credential: name, isLast, endsAt }];
      }),
    );
}
