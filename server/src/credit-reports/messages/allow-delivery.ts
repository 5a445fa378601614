// Decides whether a challenge may send its message, under the locks that protect the counts: the number's caps for the
// tenant and for all tenants, the tenant's countries and its message budgets
// (docs/decisions/0033-challenge-not-deliverable.md, 0035-codes-and-caps.md, 0152-budgets-of-messages.md). An
// allowed message is counted and queued.
import assert from 'node:assert/strict';
import type { Hashes } from '../../lib/crypto/hash-ring.ts';
import { unreachable } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { listSmsSettings, type SmsSettings } from '../../tenants/find-settings.ts';
import type { LedgerSession } from '../../wallet/open-ledger.ts';
import { readSmsUses } from '../../wallet/read-wallet.ts';
import { type Refusal, refusalOfMessage } from '../rules/delivery.ts';
import {
  type Cap,
  capOnChallenge,
  capOnMessage,
  type MobileUses,
  type NumberUses,
  TENANT_CAPS,
} from '../rules/mobile-caps.ts';
import { resetsBudget } from '../rules/sms-budget.ts';
import type { ReportKey } from '../store.ts';
import { insertChallenges, type NewChallenge } from '../store.ts';
import {
  type AddedUses,
  type CountedNumber,
  countUses,
  findNumberFreeAt,
  lockNumbers,
  type NumberKey,
  updateUses,
} from './mobile-store.ts';
import { insertSends, type NewSend } from './sms-store.ts';

export const CHALLENGE_MS = 5 * 60_000;

/** The mobile, reduced to what the decision needs: its country if it is a mobile number, and keyed hashes. */
export type Mobile = { readonly country: string | undefined; readonly numberHashes: Hashes };

export type ChallengeOrder = {
  readonly challengeId: string;
  /** Undefined without a mobile number: such a challenge cannot be delivered. */
  readonly sendId: string | undefined;
  /** The hash key of the message's code. */
  readonly codeKeyId: string;
  readonly mobile: Mobile | undefined;
};

/** The report, and what its challenge would need. */
export type Delivery = ReportKey & { readonly order: ChallengeOrder };

export interface Deliveries {
  /** Allows the first message of a new challenge, or returns the reason against it. */
  take(delivery: Delivery, ledger: LedgerSession, smsPrice: number): Refusal | undefined;
  write(): Promise<void>;
}

const NO_DELIVERIES: Deliveries = {
  take: () => 'mobile-missing',
  write: async () => undefined,
};

const CHALLENGE: MobileUses = { challenges: 1, messages: 1, mistakes: 0 };
const MESSAGE: MobileUses = { challenges: 0, messages: 1, mistakes: 0 };
const MISTAKE: MobileUses = { challenges: 0, messages: 0, mistakes: 1 };
const UNUSED: MobileUses = { challenges: 0, messages: 0, mistakes: 0 };

const sumOf = (a: MobileUses, b: MobileUses): MobileUses => ({
  challenges: a.challenges + b.challenges,
  messages: a.messages + b.messages,
  mistakes: a.mistakes + b.mistakes,
});

/** The uses of the numbers in one transaction, including those that the transaction itself adds. */
function openUses(counted: readonly CountedNumber[]) {
  // All keys of a transaction are of this node, so their first hashes are under the same key.
  const nameOf = ({ numberHashes: [first] }: Pick<NumberKey, 'numberHashes'>) => first.toString('hex');
  const pairOf = (key: NumberKey) => `${key.tenantId} ${nameOf(key)}`;
  const byTenant = new Map(counted.map((each) => [pairOf(each), each.byTenant]));
  const byAllTenants = new Map(counted.map((each) => [nameOf(each), each.byAllTenants]));
  const added = new Map<string, AddedUses>();
  return {
    find(key: NumberKey): NumberUses {
      const [own, all] = [byTenant.get(pairOf(key)), byAllTenants.get(nameOf(key))];
      assert(own && all, 'the number was not locked');
      return { byTenant: own, byAllTenants: all };
    },
    add(key: NumberKey, uses: MobileUses): void {
      const [pair, name] = [pairOf(key), nameOf(key)];
      byTenant.set(pair, sumOf(byTenant.get(pair) ?? UNUSED, uses));
      byAllTenants.set(name, sumOf(byAllTenants.get(name) ?? UNUSED, uses));
      added.set(pair, { ...key, ...sumOf(added.get(pair) ?? UNUSED, uses) });
    },
    added: () => [...added.values()],
  };
}

/** Locks first, then counts in a second statement: a statement that waited for a lock would see the rows from its start. */
async function lockUses(tx: Tx, keys: readonly NumberKey[]): Promise<CountedNumber[]> {
  // Pipelined: PostgreSQL runs them in this order.
  const [, counted] = await Promise.all([lockNumbers(tx, keys), countUses(tx, keys)]);
  return counted;
}

function findRefusal(
  settings: SmsSettings,
  { country }: Mobile,
  cap: Cap | undefined,
  { ledger, smsPrice: priceCredits }: { readonly ledger: LedgerSession; readonly smsPrice: number },
): Refusal | undefined {
  const { countries, tenantId } = settings;
  return refusalOfMessage({ country, countries, cap, budget: settings, used: ledger.smsUses(tenantId), priceCredits });
}

/** Locks the numbers of all of them. Sends no statement if there is none. */
export async function openDeliveries(tx: Tx, asked: readonly Delivery[]): Promise<Deliveries> {
  const keys = asked.flatMap(({ tenantId, order }) =>
    order.mobile ? [{ tenantId, numberHashes: order.mobile.numberHashes }] : [],
  );
  if (keys.length === 0) return NO_DELIVERIES;
  const tenantIds = asked.map(({ tenantId }) => tenantId);
  const [counted, found] = await Promise.all([lockUses(tx, keys), listSmsSettings(tx, tenantIds)]);
  const uses = openUses(counted);
  const settings = new Map(found.map((each) => [each.tenantId, each]));
  const challenges: NewChallenge[] = [];
  const sends: NewSend[] = [];

  return {
    take({ tenantId, creditReportId, order }, ledger, smsPrice) {
      const { mobile, challengeId, sendId, codeKeyId } = order;
      const own = settings.get(tenantId);
      assert(own, 'the settings of the tenant were not loaded');
      if (!mobile || sendId === undefined) return 'mobile-missing';
      const key = { tenantId, numberHashes: mobile.numberHashes };
      const refusal = findRefusal(own, mobile, capOnChallenge(uses.find(key)), { ledger, smsPrice });
      if (refusal) return refusal;
      uses.add(key, CHALLENGE);
      ledger.countSms(tenantId, smsPrice);
      challenges.push({ tenantId, creditReportId, id: challengeId, isTest: false, dueInMs: CHALLENGE_MS });
      sends.push({ tenantId, creditReportId, id: sendId, challengeId, codeKeyId });
      return undefined;
    },
    async write() {
      if (challenges.length === 0) return;
      await Promise.all([insertChallenges(tx, challenges), insertSends(tx, sends), updateUses(tx, uses.added())]);
    },
  };
}

/** Locks the number and returns its uses. */
export async function lockNumber(tx: Tx, key: NumberKey): Promise<NumberUses> {
  const [uses] = await lockUses(tx, [key]);
  assert(uses, 'a number has no row');
  return uses;
}

/** Counts a wrong code against its number. */
export async function countMistake(tx: Tx, key: NumberKey): Promise<void> {
  await updateUses(tx, [{ ...key, ...MISTAKE }]);
}

/** A refused message, and when it may be sent; null where waiting does not help or the time would reveal others' use. */
export type RefusedMessage = { readonly why: Refusal; readonly resetsAt: Date | null };

type ResendOrder = {
  readonly key: NumberKey;
  readonly mobile: Mobile;
  readonly uses: NumberUses;
  readonly smsPrice: number;
};

async function findResetsAt(
  tx: Tx,
  why: Refusal,
  settings: SmsSettings,
  { key, smsPrice }: ResendOrder,
): Promise<Date | null> {
  switch (why) {
    case 'company-number':
    case 'company-mistakes':
      return findNumberFreeAt(tx, key, TENANT_CAPS);
    case 'company-day':
    case 'company-minute': {
      if (!resetsBudget(why, settings, smsPrice)) return null;
      const { dayEndsAt, minuteEndsAt } = await readSmsUses(tx, key.tenantId);
      return why === 'company-day' ? dayEndsAt : minuteEndsAt;
    }
    case 'mobile-missing':
    case 'not-a-mobile':
    case 'country-not-allowed':
    case 'protection':
      return null;
    default:
      return unreachable(why);
  }
}

/** Call it with number and ledger locked. Undefined when the open challenge may send one more message: it is counted. */
export async function takeMessage(
  tx: Tx,
  order: ResendOrder,
  ledger: LedgerSession,
): Promise<RefusedMessage | undefined> {
  const { key, mobile, uses, smsPrice } = order;
  const { tenantId } = key;
  const [settings] = await listSmsSettings(tx, [tenantId]);
  assert(settings, 'the tenant does not exist');
  const why = findRefusal(settings, mobile, capOnMessage(uses), { ledger, smsPrice });
  if (why) return { why, resetsAt: await findResetsAt(tx, why, settings, order) };
  await updateUses(tx, [{ ...key, ...MESSAGE }]);
  ledger.countSms(tenantId, smsPrice);
  return undefined;
}
