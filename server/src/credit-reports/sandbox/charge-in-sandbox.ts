// The money of a test report that asked for charges: what settle-money.ts and settle-sends.ts do in live mode, by the same table, but in the
// test wallet alone (docs/decisions/0287-money-in-test-mode.md). Open it after everything else that locks but the audit log.
import assert from 'node:assert/strict';
import type { GenerateRequest, TestReceipt } from '@trefoil/contract';
import type { Tx } from '../../lib/postgres/sql.ts';
import { listCurrentPrices } from '../../wallet/read-prices.ts';
import { priceOfReport } from '../../wallet/rules/price-list.ts';
import { openTestWallet, type TestWallet } from '../../wallet/test-mode/open-test-wallet.ts';
import { listTestLinesByKey } from '../../wallet/test-mode/read-test-wallet.ts';
import { priceOfAnswered } from '../rules/settlement.ts';
import type { ReportKey } from '../store.ts';
import { type ChargedMessage, messageIdOf } from './test-events.ts';

/** The charge of a test report, as its line says. */
export type TestCharge = ReportKey & {
  readonly seq: number;
  readonly credits: number;
  readonly bureauCount: number;
  readonly perBureau: number;
};

/** Those of these reports that were charged. */
export async function listTestCharges(tx: Tx, reports: readonly ReportKey[]): Promise<TestCharge[]> {
  const found = await listTestLinesByKey(
    tx,
    reports.map(({ tenantId, creditReportId }) => ({ tenantId, kind: 'report-charge', sourceId: creditReportId })),
  );
  return found.map(({ tenantId, sourceId, seq, amount, bureauCount, perBureau }) => {
    assert(bureauCount !== null && perBureau !== null, 'a charge does not say for how many bureaus it is');
    return { tenantId, creditReportId: sourceId, seq, credits: 0 - amount, bureauCount, perBureau };
  });
}

/** Undefined for a report that was not charged. */
export async function findTestCharge(tx: Tx, report: ReportKey): Promise<TestCharge | undefined> {
  const [charge] = await listTestCharges(tx, [report]);
  return charge;
}

/** Returns how many credits the wallet gets back. */
export function refundAll(wallet: TestWallet, { creditReportId, seq, credits, bureauCount }: TestCharge): number {
  wallet.post({
    ...{ kind: 'report-refund', sourceId: creditReportId, creditReportId, amount: credits },
    ...{ reversesSeq: seq, bureauCount },
  });
  return credits;
}

/** The part of the bureaus that did not answer; undefined where there is nothing to refund. */
export function refundUnanswered(wallet: TestWallet, charge: TestCharge, unanswered: number): number | undefined {
  const { credits, perBureau } = charge;
  const part = credits - priceOfAnswered({ amount: credits, perBureau }, unanswered);
  if (part === 0) return undefined;
  return refundAll(wallet, { ...charge, credits: part, bureauCount: unanswered });
}

/** The whole charge of each of these reports of a tenant that has one. Returns how many credits by report. */
export async function refundReports(
  tx: Tx,
  tenantId: string,
  reports: readonly ReportKey[],
): Promise<ReadonlyMap<string, number>> {
  const charges = await listTestCharges(tx, reports);
  if (charges.length === 0) return new Map();
  const wallet = await openTestWallet(tx, tenantId);
  const refunded = new Map(charges.map((charge) => [charge.creditReportId, refundAll(wallet, charge)]));
  await wallet.write();
  return refunded;
}

/** Opens the test wallet for one report. */
export async function openTestMoney(tx: Tx, { tenantId, creditReportId }: ReportKey) {
  const [prices, wallet] = [await listCurrentPrices(tx, [tenantId]), await openTestWallet(tx, tenantId)];
  const price = prices.get(tenantId);
  if (!price) throw new Error('a tenant has no prices');
  return {
    wallet,
    /** As in live mode: all bureaus, and one message if there is a number. Throws insufficient-funds. */
    requireFunds({ bureaus, mobileNumber }: Pick<GenerateRequest, 'bureaus' | 'mobileNumber'>): void {
      wallet.requireFunds(priceOfReport(price, bureaus.length) + (mobileNumber === undefined ? 0 : price.sms));
    },
    requireFundsOfMessage: () => wallet.requireFunds(price.sms),
    chargeReport(bureauCount: number): number {
      const cost = priceOfReport(price, bureauCount);
      const line = { kind: 'report-charge', sourceId: creditReportId, creditReportId } as const;
      wallet.post({ ...line, amount: 0 - cost, bureauCount, perBureau: price.bureau });
      return cost;
    },
    /** A message that has arrived. Without the credits for it, it is not charged: nothing was held for it. */
    chargeMessage(id: string): ChargedMessage {
      if (wallet.balance() < price.sms) return { id, credits: undefined };
      wallet.post({ kind: 'sms-charge', sourceId: id, creditReportId, amount: 0 - price.sms });
      return { id, credits: price.sms };
    },
  };
}

export type TestMoney = Awaited<ReturnType<typeof openTestMoney>>;

type Sent = { readonly challengeId: string; readonly number: number; readonly receipt: TestReceipt | undefined };

/** Its receipt comes at once, or never. */
export function chargeSent(money: TestMoney, { challengeId, number, receipt = 'delivered' }: Sent): ChargedMessage {
  const id = messageIdOf(challengeId, number);
  return receipt === 'delivered' ? money.chargeMessage(id) : { id, credits: undefined };
}

/** The newest message, with the right code. Undefined if it was charged when it arrived, or if the wallet lacks the credits: then it stays as it was. */
export async function chargeProved(
  tx: Tx,
  money: TestMoney,
  { tenantId, challengeId, number }: Omit<Sent, 'receipt'> & { readonly tenantId: string },
): Promise<ChargedMessage | undefined> {
  const id = messageIdOf(challengeId, number);
  const before = await listTestLinesByKey(tx, [{ tenantId, kind: 'sms-charge', sourceId: id }]);
  const message = before.length > 0 ? undefined : money.chargeMessage(id);
  return message?.credits === undefined ? undefined : message;
}
