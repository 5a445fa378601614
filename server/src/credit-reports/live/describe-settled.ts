// What a settlement writes and answers, derived from its outcome: the report's row, the answer, the events, the audit row.
import assert from 'node:assert/strict';
import type { GenerateData, SubmitOtpData } from '@trefoil/contract';
import type { AuditEntry } from '../../audit/append-audit.ts';
import type { NewEvent } from '../../events/append-events.ts';
import { unreachable } from '../../lib/errors.ts';
import { generateData, type PublicOutcome, type Reference, submitData } from '../answer.ts';
import type { EventType } from '../rules/event-type.ts';
import type { Money } from '../rules/failure-message.ts';
import { effectsOf } from '../rules/settlement.ts';
import type { SettledReport } from './live-store.ts';
import type { Moved } from './settle-money.ts';
import type { OpenSettlement, Outcome, Settlement } from './settlement.ts';

function publicOutcomeOf(outcome: Outcome, money: Money): PublicOutcome {
  switch (outcome.kind) {
    case 'complete':
    case 'blocked':
      return { kind: outcome.kind };
    case 'challenge':
      return { kind: 'challenge', challengeId: outcome.challengeId };
    case 'failed':
      // Also stored with the request's key, in clear text, so it does not name the number's country.
      return { kind: 'failed', failure: outcome.failure, because: outcome.because, money };
    case 'expired':
      return { kind: 'failed', failure: 'expired', money };
    default:
      return unreachable(outcome);
  }
}

/** The data of the answer to the request that caused the settlement. */
export function settledData(
  { creditReportId, from }: Settlement,
  outcome: Outcome,
): Reference<GenerateData | SubmitOtpData>['data'] {
  if (from === 'pending') return generateData(creditReportId, publicOutcomeOf(outcome, 'not-charged'));
  const shown = publicOutcomeOf(outcome, 'refunded');
  assert(shown.kind === 'complete' || shown.kind === 'failed', 'a challenge must end as complete or failed');
  return submitData(creditReportId, shown);
}

export function toSettledReport({ tenantId, creditReportId, from }: Settlement, outcome: Outcome): SettledReport {
  return {
    tenantId,
    creditReportId,
    status: effectsOf(from, outcome.kind).status,
    failure: outcome.kind === 'failed' ? outcome.failure : outcome.kind === 'expired' ? 'expired' : null,
    because: (outcome.kind === 'failed' && outcome.because) || null,
    sealedReport: outcome.kind === 'complete' ? outcome.sealedReport : null,
    sealedProvenance: outcome.kind === 'complete' ? outcome.sealedProvenance : null,
    bureauResults: 'bureauResults' in outcome ? JSON.stringify(outcome.bureauResults) : null,
  };
}

export function eventsOf(
  { tenantId, creditReportId, from }: Settlement,
  outcome: Outcome,
  { cost, reportCost, refunded }: Moved,
): NewEvent<EventType>[] {
  const { events } = effectsOf(from, outcome.kind);
  const lacksRefund = refunded !== undefined && !events.includes('wallet.refunded');
  const types: readonly EventType[] = lacksRefund ? [...events, 'wallet.refunded'] : events;
  const { challengeId, sendId } = outcome.kind === 'challenge' ? outcome : {};
  const key = { tenantId, subjectId: creditReportId, creditReportId };
  return types.map((type) => {
    // The subject of a message's event is the message, for the first message as for later ones.
    if (type === 'challenge.sent') return { ...key, type, challengeId, subjectId: sendId ?? creditReportId };
    if (type === 'wallet.charged') return { ...key, type, amount: cost };
    if (type === 'wallet.refunded') return { ...key, type, amount: refunded ?? 0 };
    return { ...key, type, challengeId, amount: reportCost };
  });
}

export function auditOf({ settlement }: OpenSettlement, outcome: Outcome, cost: number): AuditEntry {
  const { tenantId, creditReportId, from, actor, reasons } = settlement;
  const [firstEvent] = effectsOf(from, outcome.kind).events;
  return {
    tenantId,
    actor,
    action: firstEvent,
    subjectId: creditReportId,
    details: {
      cost,
      // Salted, so they say nothing about the person (docs/decisions/0219-provenance.md).
      ...(outcome.kind === 'complete' && outcome.digests),
      ...(outcome.kind === 'failed' && { failure: outcome.failure }),
      ...(reasons && reasons.length > 0 && { reasons }),
    },
  };
}
