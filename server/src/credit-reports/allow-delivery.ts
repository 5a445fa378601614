// Whether a challenge may send its message, decided under the locks that count: the number's caps over all tenants,
// the tenant's countries and its daily spend (docs/decisions/0033, 0035). What is let through is counted and queued.
import assert from 'node:assert/strict';
import type { Tx } from '../lib/sql.ts';
import type { Book } from '../wallet/open-book.ts';
import { listSmsSettings, type ReportKey, type SmsSettings } from './live-store.ts';
import { type MobileUses, mayChallenge } from './rules/mobile-caps.ts';
import { type CountedUse, insertSends, lockMobileUses, type NewSend, updateMobileUses } from './sms-store.ts';
import { insertChallenges, type NewChallenge } from './store.ts';

/** A thousand messages a day at the list price; a tenant that needs more asks for it. */
const DAILY_CREDITS = 40_000;
export const CHALLENGE_MS = 5 * 60_000;

/** The mobile as far as deciding needs it: its country when it is a mobile at all, and a keyed hash. */
export type Mobile = { readonly country: string | undefined; readonly numberHash: Buffer };

export type ChallengeOrder = {
  readonly challengeId: string;
  /** Undefined without a mobile number: such a challenge cannot be delivered. */
  readonly sendId: string | undefined;
  readonly mobile: Mobile | undefined;
};

/** The report it is about, and what its challenge would need. */
export type Delivery = ReportKey & { readonly order: ChallengeOrder };

export interface Deliveries {
  /** Lets the first message of a new challenge through, or not. */
  take(delivery: Delivery, book: Book, smsPrice: number): boolean;
  write(): Promise<void>;
}

const NO_DELIVERIES: Deliveries = {
  take: () => false,
  write: async () => undefined,
};

type Counts = { challenges: number; messages: number; mistakes: number };

function isWithinPolicy(settings: SmsSettings, mobile: Mobile, book: Book, smsPrice: number): boolean {
  if (mobile.country === undefined || !settings.countries.includes(mobile.country)) return false;
  return book.smsDayCredits(settings.tenantId) + smsPrice <= (settings.dailyCredits ?? DAILY_CREDITS);
}

/** Locks the numbers of all of them. Costs nothing when there is none. */
export async function openDeliveries(tx: Tx, asked: readonly Delivery[]): Promise<Deliveries> {
  const mobiles = asked.flatMap(({ order }) => order.mobile ?? []);
  if (mobiles.length === 0) return NO_DELIVERIES;
  const tenantIds = asked.map(({ tenantId }) => tenantId);
  const [locked, found] = await Promise.all([
    lockMobileUses(
      tx,
      mobiles.map(({ numberHash }) => numberHash),
    ),
    listSmsSettings(tx, tenantIds),
  ]);
  const uses = new Map(locked.map((each) => [each.numberHash.toString('hex'), { ...each } as Counts & typeof each]));
  const added = new Map<string, Counts>();
  const settings = new Map(found.map((each) => [each.tenantId, each]));
  const challenges: NewChallenge[] = [];
  const sends: NewSend[] = [];

  return {
    take({ tenantId, creditReportId, order }, book, smsPrice) {
      const { mobile, challengeId, sendId } = order;
      const own = settings.get(tenantId);
      assert(own, 'a challenge of a tenant nobody asked for');
      if (!mobile || sendId === undefined || !isWithinPolicy(own, mobile, book, smsPrice)) return false;
      const hash = mobile.numberHash.toString('hex');
      const counts = uses.get(hash);
      if (!counts || !mayChallenge(counts)) return false;
      counts.challenges += 1;
      counts.messages += 1;
      const sum = added.get(hash) ?? { challenges: 0, messages: 0, mistakes: 0 };
      added.set(hash, { ...sum, challenges: sum.challenges + 1, messages: sum.messages + 1 });
      book.countSms(tenantId, smsPrice);
      challenges.push({ tenantId, creditReportId, id: challengeId, dueInMs: CHALLENGE_MS });
      sends.push({ tenantId, creditReportId, id: sendId, challengeId });
      return true;
    },
    async write() {
      if (challenges.length === 0) return;
      const uses = [...added].map(
        ([hash, counts]): CountedUse => ({ numberHash: Buffer.from(hash, 'hex'), ...counts }),
      );
      await Promise.all([insertChallenges(tx, challenges), insertSends(tx, sends), updateMobileUses(tx, uses)]);
    },
  };
}

/** Locks the number; says what has been used with it. */
export async function lockNumber(tx: Tx, numberHash: Buffer): Promise<MobileUses> {
  const [uses] = await lockMobileUses(tx, [numberHash]);
  assert(uses, 'a number has no row');
  return uses;
}

/** Counts a wrong code against its number. */
export async function countMistake(tx: Tx, numberHash: Buffer): Promise<void> {
  await updateMobileUses(tx, [{ numberHash, challenges: 0, messages: 0, mistakes: 1 }]);
}

/** Whether one more message of an open challenge may go out; counts it when it may. */
export async function takeMessage(
  tx: Tx,
  tenantId: string,
  mobile: Mobile,
  book: Book,
  smsPrice: number,
): Promise<boolean> {
  const [settings] = await listSmsSettings(tx, [tenantId]);
  assert(settings, 'a tenant is gone');
  if (!isWithinPolicy(settings, mobile, book, smsPrice)) return false;
  await updateMobileUses(tx, [{ numberHash: mobile.numberHash, challenges: 0, messages: 1, mistakes: 0 }]);
  book.countSms(tenantId, smsPrice);
  return true;
}
