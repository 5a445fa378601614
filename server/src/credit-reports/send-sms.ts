// Hands queued messages to the carrier. A message is taken from the queue and committed as taken before it is handed
// over, so that it is submitted at most once, by anybody, ever; an unknown outcome stays open for its receipt.
import { unreachable } from '../lib/errors.ts';
import type { Failpoint } from '../lib/failpoints.ts';
import { describeError, type Log } from '../lib/log.ts';
import { otpMessage } from '../sms/message-text.ts';
import type { SmsMessage, SmsOutcome, SmsSender } from '../sms/port.ts';
import { openRequest } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import { listSmsSettings } from './live-store.ts';
import { settleSend } from './settle-send.ts';
import { claimSend, lockSend, updateSend } from './sms-store.ts';

export type SmsDispatcher = {
  /** Submits in the background. What cannot be submitted now is found by the job. */
  dispatch(tenantId: string, sendId: string): void;
  submit(tenantId: string, sendId: string): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
};

type Options = Pick<ReportDependencies, 'database' | 'vault' | 'metrics'> & {
  readonly log: Log;
  readonly sender: SmsSender;
  readonly codeOf: (sendId: string) => string;
  readonly failpoint: Failpoint;
};

export function createSmsDispatcher(options: Options): SmsDispatcher {
  const { database, vault, metrics, log, sender, codeOf, failpoint } = options;
  const underWay = new Set<Promise<void>>();

  /** Takes the message and writes its text, which exists only in memory. */
  function take(tenantId: string, sendId: string): Promise<SmsMessage | undefined> {
    return database.forTenants([tenantId], async (tx) => {
      const claimed = await claimSend(tx, tenantId, sendId);
      if (!claimed) return undefined;
      const send = await lockSend(tx, tenantId, sendId);
      if (!claimed.isUseful) {
        if (send) await settleSend(tx, send, 'undelivered', { actor: 'system', carrierRef: null });
        return undefined;
      }
      const { request } = await openRequest(tx, vault, tenantId, claimed.creditReportId);
      const [tenant] = await listSmsSettings(tx, [tenantId]);
      if (!tenant || request.mobileNumber === undefined) throw new Error('a message has nobody to go to');
      const text = otpMessage({ tenantName: tenant.name, code: codeOf(sendId), host: tenant.otpHost ?? undefined });
      return { to: request.mobileNumber, text, sendId, tenantId };
    });
  }

  async function record(tenantId: string, sendId: string, outcome: SmsOutcome): Promise<void> {
    metrics.messages.inc({ outcome: outcome.kind });
    // It may have been sent: only a receipt, a right code or 72 hours tell.
    if (outcome.kind === 'unknown') return;
    await database.forTenants([tenantId], async (tx) => {
      const send = await lockSend(tx, tenantId, sendId);
      if (!send) return;
      switch (outcome.kind) {
        case 'accepted':
          // Its receipt may have been quicker than this answer.
          return updateSend(tx, send, { state: send.state, carrierRef: outcome.carrierRef });
        case 'refused':
          await settleSend(tx, send, 'refused', { actor: 'system', carrierRef: null });
          return undefined;
        default:
          return unreachable(outcome);
      }
    });
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
      const work = submit(tenantId, sendId)
        .catch((error) => log.error('message not submitted', describeError(error)))
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async idle() {
      await Promise.all(underWay);
    },
  };
}
