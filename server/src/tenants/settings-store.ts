// What a tenant may set about its reports and its messages.
import { execute, rows, sql, type Tx } from '../lib/sql.ts';

export type TenantSettings = {
  readonly retentionDays: number;
  readonly smsCountries: readonly string[];
  /** Null: the default of the sending policy. */
  readonly smsDailyCredits: number | null;
  /** Null: messages carry no origin-bound line. */
  readonly otpHost: string | null;
};

export async function findSettings(tx: Tx, tenantId: string): Promise<TenantSettings | undefined> {
  const [settings] = await rows<TenantSettings>(
    tx,
    sql`
    select retention_days as "retentionDays", sms_countries as "smsCountries", sms_daily_credits as "smsDailyCredits",
           otp_host as "otpHost"
      from tenants where id = ${tenantId}`,
  );
  return settings;
}

/** Says whether there was such a tenant. */
export async function updateSettings(tx: Tx, tenantId: string, settings: TenantSettings): Promise<boolean> {
  const { retentionDays, smsCountries, smsDailyCredits, otpHost } = settings;
  const query = sql`
    update tenants
       set retention_days = ${retentionDays}, sms_countries = ${smsCountries}, sms_daily_credits = ${smsDailyCredits},
           otp_host = ${otpHost}
     where id = ${tenantId}`;
  return (await execute(tx, query)) === 1;
}
