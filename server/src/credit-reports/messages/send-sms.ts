// Hands queued messages to the carrier. The claim on a message is committed before the hand-over, so that it is
// submitted at most once by all processes together. An unknown outcome stays open for its receipt.
import type { Codes } from '../../lib/crypto/one-time-code.ts';
import { unreachable } from '../../lib/errors.ts';
import type { Failpoint } from '../../lib/failpoints.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { outsideScope } from '../../lib/request-scope.ts';
import { inSpan, inSpanOf, recordSpan } from '../../lib/traces/span.ts';
import { NO_TRACES, type Tracer } from '../../lib/traces/tracer.ts';
import { otpMessage } from '../../sms/message-text.ts';
import type { SmsMessage, SmsOutcome, SmsSender } from '../../sms/port.ts';
import { listSmsSettings } from '../../tenants/find-settings.ts';
import type { ReportDependencies } from '../dependencies.ts';
import type { FailpointName } from '../failpoints.ts';
import { openRequest } from '../seal-report.ts';
import { settleSend } from './settle-sends.ts';
import { claimSend, updateCarrierRef } from './sms-store.ts';

export type SmsDispatcher = {
  /** Submits in the background. If that fails now, the job finds the message. */
  dispatch(tenantId: string, sendId: string): void;
  submit(tenantId: string, sendId: string): Promise<void>;
  /** Resolves when no submission is under way. */
  idle(): Promise<void>;
};

type Options = Pick<ReportDependencies, 'database' | 'vault' | 'queue' | 'metrics'> & {
  readonly log: Log;
  readonly sender: SmsSender;
  readonly codes: Codes;
  readonly failpoint: Failpoint<FailpointName>;
  readonly tracer?: Tracer;
};

type Taken = { readonly message: SmsMessage; readonly creditReportId: string };

export function createSmsDispatcher(options: Options): SmsDispatcher {
  const { database, vault, queue, metrics, log, sender, codes, failpoint, tracer = NO_TRACES } = options;
  const underWay = new Set<Promise<void>>();

  /** Claims the message and writes its text, which exists only in memory. */
  function take(tenantId: string, sendId: string): Promise<Taken | undefined> {
    return database.forTenants([tenantId], async (tx) => {
      const claimed = await claimSend(tx, tenantId, sendId);
      if (!claimed) return undefined;
      if (!claimed.isUseful) {
        await settleSend(tx, { tenantId, sendId, proof: 'undelivered', actor: 'system', carrierRef: null });
        return undefined;
      }
      const { request } = await openRequest(tx, vault, tenantId, claimed.creditReportId);
      const [tenant] = await listSmsSettings(tx, [tenantId]);
      if (!tenant || request.mobileNumber === undefined) throw new Error('a message has no tenant or no mobile number');
      const code = codes.codeOf(sendId, claimed.codeKeyId);
      // The transaction ends here and the message stays queued, for a node that has the key.
      if (code === undefined) throw new Error('a message needs a hash key that this node does not have');
      const text = otpMessage({ tenantName: tenant.name, code, host: tenant.otpHost ?? undefined });
      const { creditReportId } = claimed;
      return { message: { to: request.mobileNumber, text, sendId, tenantId }, creditReportId };
    });
  }

  async function record(tenantId: string, sendId: string, outcome: SmsOutcome): Promise<void> {
    metrics.messages.inc({ outcome: outcome.kind });
    // It may have been sent: only a receipt, a right code or 72 hours of silence decide.
    if (outcome.kind === 'unknown') return;
    switch (outcome.kind) {
      case 'accepted':
        return database.forTenants([tenantId], (tx) => updateCarrierRef(tx, { tenantId, sendId }, outcome.carrierRef));
      case 'refused':
        await queue.prove({ tenantId, sendId, proof: 'refused', actor: 'system', carrierRef: null });
        return undefined;
      default:
        return unreachable(outcome);
    }
  }

  async function submit(tenantId: string, sendId: string): Promise<void> {
    const startMs = performance.now();
    const taken = await take(tenantId, sendId);
    if (!taken) return;
    // Only the claimed message says which report, and so which trace, it belongs to.
    await inSpanOf(tracer.placeOf(taken.creditReportId), 'message', { startMs }, async (span) => {
      recordSpan(span, 'transaction', { startMs, attributes: { 'trefoil.pool': 'jobs' } });
      failpoint('before-sms-submit');
      const outcome = await inSpan('carrier', { peer: 'sms' }, () => sender.send(taken.message));
      failpoint('after-sms-submit');
      if (span) span.attributes['trefoil.outcome'] = outcome.kind;
      await record(tenantId, sendId, outcome);
    });
  }

  return {
    submit,
    dispatch(tenantId, sendId) {
      // The request that queued it is answered before the carrier answers.
      const work = outsideScope(() => submit(tenantId, sendId))
        .catch((error) => log.error('message not submitted', describeError(error)))
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async idle() {
      await Promise.all(underWay);
    },
  };
}
