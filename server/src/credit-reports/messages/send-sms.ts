// Hands queued messages to the carrier. The claim on a message is committed before the hand-over, so that it is
// submitted at most once by all processes together. An unknown outcome stays open for its receipt.
import { unreachable } from '../../lib/errors.ts';
import type { Failpoint } from '../../lib/failpoints.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { outsideScope } from '../../lib/request-scope.ts';
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
  readonly codeOf: (sendId: string) => string;
  readonly failpoint: Failpoint<FailpointName>;
};

export function createSmsDispatcher(options: Options): SmsDispatcher {
  const { database, vault, queue, metrics, log, sender, codeOf, failpoint } = options;
  const underWay = new Set<Promise<void>>();

  /** Claims the message and writes its text, which exists only in memory. */
  function take(tenantId: string, sendId: string): Promise<SmsMessage | undefined> {
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
      const text = otpMessage({ tenantName: tenant.name, code: codeOf(sendId), host: tenant.otpHost ?? undefined });
      return { to: request.mobileNumber, text, sendId, tenantId };
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
    const message = await take(tenantId, sendId);
    if (!message) return;
    failpoint('before-sms-submit');
    const outcome = await sender.send(message);
    failpoint('after-sms-submit');
    await record(tenantId, sendId, outcome);
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
