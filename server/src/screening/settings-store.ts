// Which policy a tenant wants, and its thresholds.
import { rows, sql, type Tx } from '../lib/sql.ts';
import type { Thresholds } from './rules/house-policy.ts';

export type ScreeningSettings = Thresholds & { readonly policy: 'provider' | 'house' | 'stricter' };

export function listScreeningSettings(
  tx: Tx,
  tenantIds: readonly string[],
): Promise<(ScreeningSettings & { readonly tenantId: string })[]> {
  return rows(
    tx,
    sql`
    select id as "tenantId", screening_policy as policy, challenge_points as "challengePoints",
           block_points as "blockPoints"
      from tenants where id = any (${tenantIds}::uuid[])`,
  );
}
