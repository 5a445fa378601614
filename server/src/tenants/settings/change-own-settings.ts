// A company's settings as its own people read and change them, within what was agreed with the operator
// (docs/decisions/0232-settings-by-their-tenant.md).
import type { ChangeSettingsRequest, RetentionEffect, RetentionPreview, Settings } from '@trefoil/contract';
import { appendAudit } from '../../audit/append-audit.ts';
import type { Caller } from '../../http/authenticate.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { isSame } from '../change-settings.ts';
import { findRole } from '../change-tenant.ts';
import { agreedLimits, judgeSettings } from '../rules/own-settings.ts';
import { findSettings, lockTenant, type StoredSettings, updateOwnSettings } from '../settings-store.ts';

/** What a shorter retention would erase. Tenants do not know reports: `app.ts` passes this in. */
export type PreviewRetention = (
  database: Database,
  tenantId: string,
  order: { readonly days: number; readonly isTestOnly: boolean },
) => Promise<{ readonly count: number; readonly oldestAt: Date | null; readonly newestAt: Date | null }>;

export type SettingsDependencies = { readonly database: Database; readonly previewRetention: PreviewRetention };

function toSettings(stored: StoredSettings): Settings {
  const { name, displayName, retentionDays, otpHost, lowBalanceCredits, requireSecondFactor } = stored;
  return {
    name,
    displayName,
    retentionDays,
    smsCountries: stored.ownSmsCountries === null ? null : [...stored.ownSmsCountries],
    smsDailyMessages: stored.ownSmsDailyMessages,
    smsDailyCredits: stored.ownSmsDailyCredits,
    smsMinuteMessages: stored.ownSmsMinuteMessages,
    otpHost,
    lowBalanceCredits,
    requireSecondFactor,
    agreed: { smsCountries: [...stored.smsCountries], ...agreedLimits(stored) },
  };
}

const found = (stored: StoredSettings | undefined): StoredSettings => {
  if (!stored) throw new Error('the tenant does not exist');
  return stored;
};

const readStored = (database: Database, tenantId: string) =>
  database.forTenants([tenantId], async (tx) => found(await findSettings(tx, tenantId)));

export async function readSettings({ database }: SettingsDependencies, tenantId: string): Promise<Settings> {
  return toSettings(await readStored(database, tenantId));
}

type Reader = Pick<Caller, 'tenantId' | 'isTestOnly'>;

async function findEffect(
  { database, previewRetention }: SettingsDependencies,
  { tenantId, isTestOnly }: Reader,
  days: number,
): Promise<RetentionEffect> {
  const { count, oldestAt, newestAt } = await previewRetention(database, tenantId, { days, isTestOnly });
  return {
    reports: count,
    oldestSettledAt: oldestAt?.toISOString() ?? null,
    newestSettledAt: newestAt?.toISOString() ?? null,
  };
}

export async function readRetentionPreview(
  dependencies: SettingsDependencies,
  reader: Reader,
  wantedDays: number | undefined,
): Promise<RetentionPreview> {
  const { retentionDays: currentDays } = await readStored(dependencies.database, reader.tenantId);
  const retentionDays = wantedDays ?? currentDays;
  return { retentionDays, currentDays, ...(await findEffect(dependencies, reader, retentionDays)) };
}

/** Throws with every fault at its field. */
function requireAgreed(stored: StoredSettings, wanted: ChangeSettingsRequest): ChangeSettingsRequest {
  const judged = judgeSettings(stored, wanted);
  if (judged.kind === 'fits') return judged.changes;
  throw new ServiceError('validation-error', 'The request body is not valid; details lists what to correct.', {
    details: judged.faults,
  });
}

export async function changeOwnSettings(
  dependencies: SettingsDependencies,
  { tenantId, id: actor, userId, isTestOnly }: Pick<Caller, 'tenantId' | 'id' | 'userId' | 'isTestOnly'>,
  wanted: ChangeSettingsRequest,
  isConfirmed: boolean,
): Promise<Settings> {
  const { database } = dependencies;
  const before = await readStored(database, tenantId);
  requireAgreed(before, wanted);
  // Counted outside the transaction that locks the row: the count may take seconds. A confirmed change counts nothing.
  if (wanted.retentionDays !== undefined && wanted.retentionDays < before.retentionDays && !isConfirmed) {
    const wouldErase = await findEffect(dependencies, { tenantId, isTestOnly }, wanted.retentionDays);
    if (wouldErase.reports > 0) {
      throw new ServiceError(
        'conflict',
        'A shorter retention erases the reports that wouldErase counts. To go ahead, send the request again with confirm=true.',
        { fields: { wouldErase } },
      );
    }
  }
  return database.forTenants([tenantId], async (tx) => {
    await lockTenant(tx, tenantId);
    const stored = found(await findSettings(tx, tenantId));
    const current = toSettings(stored);
    const changes = requireAgreed(stored, wanted);
    const changed = Object.fromEntries(
      Object.entries(changes).filter(([name, value]) => !isSame(current[name as keyof ChangeSettingsRequest], value)),
    );
    if (Object.keys(changed).length === 0) return current;
    // The token may be some seconds old; the row says what the person's role is now.
    if (changed['requireSecondFactor'] === false && (await findRole(tx, tenantId, userId)) !== 'owner') {
      throw new ServiceError('forbidden', 'Only an owner can let people work here without a second factor.');
    }
    const settings = { ...current, ...changes };
    await updateOwnSettings(tx, tenantId, settings);
    await appendAudit(tx, [{ tenantId, actor, action: 'settings.changed', subjectId: tenantId, details: changed }]);
    return settings;
  });
}
