// How the bureaus answered a company's own live reports in the last day. Nothing here reveals anything about other companies.
import { BUREAUS, type Bureau, type BureausData } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { Database } from '../lib/postgres/database.ts';
import { listSlots } from './day-store.ts';
import { judgeBureau } from './rules/bureau-state.ts';

const SLOTS = 48;
const SLOT_MS = 30 * 60_000;

export async function readBureaus(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  { tenantId, isTestOnly }: Pick<Caller, 'tenantId' | 'isTestOnly'>,
): Promise<BureausData> {
  // Test reports ask no bureau, and a test-only credential sees no live ones.
  const found = isTestOnly ? [] : await database.forTenants([tenantId], (tx) => listSlots(tx, tenantId, SLOTS));
  const newestMs = Math.floor(now().getTime() / SLOT_MS) * SLOT_MS;
  const items = BUREAUS.map((bureau: Bureau) => {
    const slots = found.filter((slot) => slot.bureau === bureau);
    const byStart = new Map(slots.map((slot) => [slot.startsAt.getTime(), slot]));
    const { state, since } = judgeBureau(slots);
    const asked = slots.reduce((sum, slot) => sum + slot.asked, 0);
    const answered = slots.reduce((sum, slot) => sum + slot.answered, 0);
    return {
      bureau,
      state,
      since: since?.toISOString() ?? null,
      answeredShare: asked === 0 ? null : answered / asked,
      slots: Array.from({ length: SLOTS }, (_, place) => {
        const startMs = newestMs - (SLOTS - 1 - place) * SLOT_MS;
        const slot = byStart.get(startMs);
        return { startsAt: new Date(startMs).toISOString(), asked: slot?.asked ?? 0, answered: slot?.answered ?? 0 };
      }),
    };
  });
  return { items };
}
