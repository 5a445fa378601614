// The credits of one settlement: what it charges, releases or refunds. It changes only the open ledger and sends nothing.
import assert from 'node:assert/strict';
import { unreachable } from '../../lib/errors.ts';
import type { LedgerSession } from '../../wallet/open-ledger.ts';
import { effectsOf, priceOfAnswered } from '../rules/settlement.ts';
import { chargeLine, type OpenSettlement, type Outcome, reportHold } from './settlement.ts';

/** In credits. */
export type Moved = {
  /** What the caller of this operation is told; a refund is not in it. */
  readonly cost: number;
  /** What the report costs from now on. */
  readonly reportCost: number;
  /** Undefined where there was nothing to refund. */
  readonly refunded?: number;
};

/** Moves the report's credits as the table says. */
export function settleReportMoney(
  ledger: LedgerSession,
  { settlement, report }: OpenSettlement,
  outcome: Outcome,
): Moved {
  const { tenantId, creditReportId } = settlement;
  const { money, firstSend } = effectsOf(settlement.from, outcome.kind);
  const hold = ledger.findHold(reportHold(settlement));
  assert(hold && hold.perBureau !== null, 'a live report has no hold');
  const unanswered =
    outcome.kind === 'complete' ? outcome.bureauResults.filter((each) => each.outcome === 'unavailable').length : 0;
  const price = priceOfAnswered({ amount: hold.amount, perBureau: hold.perBureau }, unanswered);
  if (firstSend === 'void' && report.firstSendId !== null) {
    ledger.void({ tenantId, kind: 'sms', sourceId: report.firstSendId });
  }
  const { capturedAmount } = hold;
  const refund = (amount: number): Moved => {
    const charge = ledger.findLine(chargeLine(settlement));
    assert(charge, 'a refund has no charge');
    ledger.post({
      tenantId,
      kind: 'report-refund',
      sourceId: creditReportId,
      amount,
      creditReportId,
      reversesSeq: charge.seq,
    });
    return { cost: 0, reportCost: capturedAmount - amount, refunded: amount };
  };
  switch (money) {
    case 'capture':
      assert(ledger.capture(reportHold(settlement), price, creditReportId), 'the hold of an open report is settled');
      return { cost: price, reportCost: price };
    case 'void':
      assert(ledger.void(reportHold(settlement)), 'the hold of an open report is settled');
      return { cost: 0, reportCost: 0 };
    case 'refund-all':
      return refund(capturedAmount);
    case 'refund-unanswered':
      // Where bureaus cost nothing, one that did not answer leaves nothing to refund.
      return capturedAmount > price ? refund(capturedAmount - price) : { cost: 0, reportCost: capturedAmount };
    default:
      return unreachable(money);
  }
}
