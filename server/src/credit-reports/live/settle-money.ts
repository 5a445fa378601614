// The credits of one settlement: what it charges, releases or refunds. It changes only the open ledger and sends nothing.
import assert from 'node:assert/strict';
import { unreachable } from '../../lib/errors.ts';
import type { LedgerSession } from '../../wallet/open-ledger.ts';
import { effectsOf, priceOfAnswered } from '../rules/settlement.ts';
import { chargeLine, type OpenSettlement, type Outcome, reportHold } from './settlement.ts';

/** Moves the report's credits as the table says; returns the cost of this operation for its caller. */
export function settleReportMoney(
  ledger: LedgerSession,
  { settlement, report }: OpenSettlement,
  outcome: Outcome,
): { cost: number; isRefund: boolean } {
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
  const refund = (amount: number) => {
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
    return { cost: 0, isRefund: true };
  };
  switch (money) {
    case 'capture':
      assert(ledger.capture(reportHold(settlement), price, creditReportId), 'the hold of an open report is settled');
      return { cost: price, isRefund: false };
    case 'void':
      assert(ledger.void(reportHold(settlement)), 'the hold of an open report is settled');
      return { cost: 0, isRefund: false };
    case 'refund-all':
      return refund(hold.capturedAmount);
    case 'refund-unanswered':
      // Where bureaus cost nothing, one that did not answer leaves nothing to refund.
      return hold.capturedAmount > price ? refund(hold.capturedAmount - price) : { cost: 0, isRefund: false };
    default:
      return unreachable(money);
  }
}
