// A tenant's settings for its reports, its messages and its screening.
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

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

export async function findSettings(tx: Tx, tenantId: string): Promise<TenantSettings | undefined> {
  const [settings] = await rows<TenantSettings>(
    tx,
    sql`
    select retention_days as "retentionDays", sms_countries as "smsCountries", sms_daily_credits as "smsDailyCredits",
           sms_daily_messages as "smsDailyMessages", sms_minute_messages as "smsMinuteMessages",
           otp_host as "otpHost", screening_policy as "screeningPolicy", challenge_points as "challengePoints",
           block_points as "blockPoints", low_balance_credits as "lowBalanceCredits"
      from tenants where id = ${tenantId}`,
  );
  return settings;
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
  readonly name: string;
  readonly countries: readonly string[];
  /** Null: use the sending policy's default. */
  readonly dailyCredits: number | null;
  readonly dailyMessages: number | null;
  readonly minuteMessages: number | null;
  readonly otpHost: string | null;
};

export function listSmsSettings(tx: Tx, tenantIds: readonly string[]): Promise<SmsSettings[]> {
  return rows<SmsSettings>(
    tx,
    sql`
    select id as "tenantId", name, sms_countries as countries, sms_daily_credits as "dailyCredits",
           sms_daily_messages as "dailyMessages", sms_minute_messages as "minuteMessages", otp_host as "otpHost"
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
