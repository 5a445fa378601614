// What a company may set for itself, within what was agreed with the operator. Pure
// (docs/decisions/0232-settings-by-their-tenant.md).
import type { ChangeSettingsRequest } from '@trefoil/contract';
import { toHost } from './otp-host.ts';

/** For messages where nothing else was agreed: a thousand a day at the list price. A tenant that needs more asks for a larger budget. */
export const DEFAULT_LIMITS = { smsDailyCredits: 40_000, smsDailyMessages: 1_000, smsMinuteMessages: 60 } as const;

export type Agreed = {
  readonly smsCountries: readonly string[];
  /** Null: the default. */
  readonly smsDailyCredits: number | null;
  readonly smsDailyMessages: number | null;
  readonly smsMinuteMessages: number | null;
};

/** A request may have other fields: they are ignored (docs/decisions/0011-unknown-fields.md). Total: a forgotten one does not compile. */
const CHANGEABLE: Readonly<Record<keyof ChangeSettingsRequest, true>> = {
  displayName: true,
  retentionDays: true,
  smsCountries: true,
  smsDailyMessages: true,
  smsDailyCredits: true,
  smsMinuteMessages: true,
  otpHost: true,
  lowBalanceCredits: true,
  requireSecondFactor: true,
};

const LIMITS = ['smsDailyCredits', 'smsDailyMessages', 'smsMinuteMessages'] as const;

export function agreedLimits(agreed: Agreed) {
  return {
    smsDailyCredits: agreed.smsDailyCredits ?? DEFAULT_LIMITS.smsDailyCredits,
    smsDailyMessages: agreed.smsDailyMessages ?? DEFAULT_LIMITS.smsDailyMessages,
    smsMinuteMessages: agreed.smsMinuteMessages ?? DEFAULT_LIMITS.smsMinuteMessages,
  };
}

type Fault = { readonly path: string; readonly message: string };

export type JudgedSettings =
  | { readonly kind: 'fits'; readonly changes: ChangeSettingsRequest }
  | { readonly kind: 'faulty'; readonly faults: readonly Fault[] };

const BEYOND = 'More needs an agreement with the operator of the service.';

export function judgeSettings(agreed: Agreed, wanted: ChangeSettingsRequest): JudgedSettings {
  const faults: Fault[] = [];
  const limits = agreedLimits(agreed);
  for (const name of LIMITS) {
    if ((wanted[name] ?? 0) > limits[name]) {
      faults.push({ path: `/${name}`, message: `Use ${limits[name]} or less. ${BEYOND}` });
    }
  }
  for (const [place, country] of (wanted.smsCountries ?? []).entries()) {
    if (agreed.smsCountries.includes(country)) continue;
    faults.push({
      path: `/smsCountries/${place}`,
      message: `Use one of: ${agreed.smsCountries.join(', ')}. ${BEYOND}`,
    });
  }
  const host = wanted.otpHost && toHost(wanted.otpHost);
  if (wanted.otpHost && host === undefined) {
    faults.push({ path: '/otpHost', message: 'Use the host name of a page, such as claims.example.com, or null.' });
  }
  if (faults.length > 0) return { kind: 'faulty', faults };
  const known = Object.entries(wanted).filter(([name]) => Object.hasOwn(CHANGEABLE, name));
  return { kind: 'fits', changes: { ...Object.fromEntries(known), ...(host && { otpHost: host }) } };
}
