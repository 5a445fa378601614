// A tenant's settings for its reports, its messages and its screening: those agreed with the operator, and the company's own.
import type { Settings } from '@trefoil/contract';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import { DEFAULT_LIMITS } from './rules/own-settings.ts';

export type TenantSettings = {
  readonly retentionDays: number;
  readonly smsCountries: readonly string[];
  /** Null: use the sending policy's default. */
  readonly smsDailyCredits: number | null;
  readonly smsDailyMessages: number | null;
  readonly smsMinuteMessages: number | null;
  /** Null: messages carry no origin-bound line. */
  readonly otpHost: string | null;
  /** Below this balance the wallet is low, and the tenant is told. Null: never. */
  readonly lowBalanceCredits: number | null;
  /** Which policy decides about a live request, and from how many points the built-in policy challenges and blocks. */
  readonly screeningPolicy: 'provider' | 'house' | 'stricter';
  readonly challengePoints: number;
  readonly blockPoints: number;
};

/** The company's own settings, which can only narrow the agreed ones; null: as agreed. */
export type OwnSettings = {
  /** In text messages; null: the name. */
  readonly displayName: string | null;
  readonly ownSmsCountries: readonly string[] | null;
  readonly ownSmsDailyCredits: number | null;
  readonly ownSmsDailyMessages: number | null;
  readonly ownSmsMinuteMessages: number | null;
  readonly requireSecondFactor: boolean;
};

export type StoredSettings = TenantSettings & OwnSettings & { readonly name: string };

export async function findSettings(tx: Tx, tenantId: string): Promise<StoredSettings | undefined> {
  const [settings] = await rows<StoredSettings>(
    tx,
    sql`
    select name, display_name as "displayName", own_sms_countries as "ownSmsCountries",
           own_sms_daily_credits as "ownSmsDailyCredits", own_sms_daily_messages as "ownSmsDailyMessages",
           own_sms_minute_messages as "ownSmsMinuteMessages",
           retention_days as "retentionDays", sms_countries as "smsCountries", sms_daily_credits as "smsDailyCredits",
           sms_daily_messages as "smsDailyMessages", sms_minute_messages as "smsMinuteMessages",
           otp_host as "otpHost", screening_policy as "screeningPolicy", challenge_points as "challengePoints",
           block_points as "blockPoints", low_balance_credits as "lowBalanceCredits",
           require_second_factor as "requireSecondFactor"
      from tenants where id = ${tenantId}`,
  );
  return settings;
}

/** Two changes at once must not each write back what the other has just replaced. Read the settings after it. */
export async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  await execute(tx, sql`select from tenants where id = ${tenantId} for no key update`);
}

/** As the app role, which may change these columns and no others. */
export async function updateOwnSettings(tx: Tx, tenantId: string, settings: Settings): Promise<void> {
  const { displayName, retentionDays, otpHost, lowBalanceCredits, requireSecondFactor } = settings;
  const { smsCountries, smsDailyCredits, smsDailyMessages, smsMinuteMessages } = settings;
  await execute(
    tx,
    sql`
    update tenants
       set display_name = ${displayName}, retention_days = ${retentionDays}, otp_host = ${otpHost},
           low_balance_credits = ${lowBalanceCredits}, own_sms_countries = ${smsCountries},
           own_sms_daily_credits = ${smsDailyCredits}, own_sms_daily_messages = ${smsDailyMessages},
           own_sms_minute_messages = ${smsMinuteMessages}, require_second_factor = ${requireSecondFactor}
     where id = ${tenantId}`,
  );
}

/** Returns whether the tenant exists. */
export async function updateSettings(tx: Tx, tenantId: string, settings: TenantSettings): Promise<boolean> {
  const { retentionDays, smsCountries, smsDailyCredits, smsDailyMessages, smsMinuteMessages, otpHost } = settings;
  const { screeningPolicy, challengePoints, blockPoints, lowBalanceCredits } = settings;
  const query = sql`
    update tenants
       set retention_days = ${retentionDays}, sms_countries = ${smsCountries}, sms_daily_credits = ${smsDailyCredits},
           sms_daily_messages = ${smsDailyMessages}, sms_minute_messages = ${smsMinuteMessages},
           otp_host = ${otpHost}, screening_policy = ${screeningPolicy}, challenge_points = ${challengePoints},
           block_points = ${blockPoints}, low_balance_credits = ${lowBalanceCredits}
     where id = ${tenantId}`;
  return (await execute(tx, query)) === 1;
}

export type SmsSettings = {
  readonly tenantId: string;
  /** As messages name it. */
  readonly name: string;
  readonly countries: readonly string[];
  readonly dailyCredits: number;
  readonly dailyMessages: number;
  readonly minuteMessages: number;
  readonly otpHost: string | null;
};

/** What holds: the company's own limits where they are lower than the agreed ones. */
export function listSmsSettings(tx: Tx, tenantIds: readonly string[]): Promise<SmsSettings[]> {
  const { smsDailyCredits, smsDailyMessages, smsMinuteMessages } = DEFAULT_LIMITS;
  return rows<SmsSettings>(
    tx,
    // `least` ignores null: without an own limit the agreed one holds.
    sql`
    select id as "tenantId", coalesce(display_name, name) as name, otp_host as "otpHost",
           case when own_sms_countries is null then sms_countries
                else array(select unnest(sms_countries) intersect select unnest(own_sms_countries)) end as countries,
           least(own_sms_daily_credits, coalesce(sms_daily_credits, ${smsDailyCredits}::bigint)) as "dailyCredits",
           least(own_sms_daily_messages, coalesce(sms_daily_messages, ${smsDailyMessages}::integer)) as "dailyMessages",
           least(own_sms_minute_messages, coalesce(sms_minute_messages, ${smsMinuteMessages}::integer)) as "minuteMessages"
      from tenants where id = any (${tenantIds}::uuid[])`,
  );
}

type ScreeningSettings = Pick<TenantSettings, 'challengePoints' | 'blockPoints'> & {
  readonly tenantId: string;
  readonly policy: TenantSettings['screeningPolicy'];
};

export function listScreeningSettings(tx: Tx, tenantIds: readonly string[]): Promise<ScreeningSettings[]> {
  return rows<ScreeningSettings>(
    tx,
    sql`
    select id as "tenantId", screening_policy as policy, challenge_points as "challengePoints",
           block_points as "blockPoints"
      from tenants where id = any (${tenantIds}::uuid[])`,
  );
}
