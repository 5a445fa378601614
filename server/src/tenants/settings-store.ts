// What a tenant may set about its reports, its messages and its screening.
import { execute, rows, sql, type Tx } from '../lib/sql.ts';

export type TenantSettings = {
  readonly retentionDays: number;
  readonly smsCountries: readonly string[];
  /** Null: the default of the sending policy. */
  readonly smsDailyCredits: number | null;
  /** Null: messages carry no origin-bound line. */
  readonly otpHost: string | null;
  /** Whose word decides about a live request, and from how many points the house policy challenges and blocks. */
  readonly screeningPolicy: 'provider' | 'house' | 'stricter';
  readonly challengePoints: number;
  readonly blockPoints: number;
};

export async function findSettings(tx: Tx, tenantId: string): Promise<TenantSettings | undefined> {
  const [settings] = await rows<TenantSettings>(
    tx,
    sql`
    select retention_days as "retentionDays", sms_countries as "smsCountries", sms_daily_credits as "smsDailyCredits",
           otp_host as "otpHost", screening_policy as "screeningPolicy", challenge_points as "challengePoints",
           block_points as "blockPoints"
      from tenants where id = ${tenantId}`,
  );
  return settings;
}

/** Says whether there was such a tenant. */
export async function updateSettings(tx: Tx, tenantId: string, settings: TenantSettings): Promise<boolean> {
  const { retentionDays, smsCountries, smsDailyCredits, otpHost } = settings;
  const { screeningPolicy, challengePoints, blockPoints } = settings;
  const query = sql`
    update tenants
       set retention_days = ${retentionDays}, sms_countries = ${smsCountries}, sms_daily_credits = ${smsDailyCredits},
           otp_host = ${otpHost}, screening_policy = ${screeningPolicy}, challenge_points = ${challengePoints},
           block_points = ${blockPoints}
     where id = ${tenantId}`;
  return (await execute(tx, query)) === 1;
}
