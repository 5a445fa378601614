// One more message of a test challenge: nothing is sent. `testOptions.resend` refuses it as live mode would.
import type { TestReceipt, TestResend } from '@trefoil/contract';
import { appendEvents } from '../../events/append-events.ts';
import { unreachable } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { readSmsUses } from '../../wallet/read-wallet.ts';
import type { Resend } from '../challenge/queue-resend.ts';
import type { ReportDependencies } from '../dependencies.ts';
import type { RefusedMessage } from '../messages/allow-delivery.ts';
import { openRequest } from '../seal-report.ts';
import { chargeSent, findTestCharge, openTestMoney } from './charge-in-sandbox.ts';
import { refuseForFunds } from './refuse-for-funds.ts';
import { findDayFromNow } from './sandbox-store.ts';
import { type ChargedMessage, messageEvents } from './test-events.ts';

/** The limit as live mode would tell it. */
async function refuse(tx: Tx, tenantId: string, option: TestResend): Promise<RefusedMessage> {
  switch (option) {
    case 'insufficient-funds':
    case 'insufficient-credits':
      throw await refuseForFunds(tx, tenantId, option, { isReport: false, bureaus: 0, messages: 1 });
    case 'company-number':
      return { why: option, resetsAt: await findDayFromNow(tx) };
    case 'company-day':
      return { why: option, resetsAt: (await readSmsUses(tx, tenantId)).dayEndsAt };
    case 'company-minute':
      return { why: option, resetsAt: (await readSmsUses(tx, tenantId)).minuteEndsAt };
    case 'destination':
      return { why: 'country-not-allowed', resetsAt: null };
    case 'protection':
      return { why: option, resetsAt: null };
    default:
      return unreachable(option);
  }
}

type Message = { readonly number: number; readonly receipt: TestReceipt | undefined };

async function charge(tx: Tx, key: Resend['opened']['key'], { number, receipt }: Message): Promise<ChargedMessage> {
  const money = await openTestMoney(tx, key);
  money.requireFundsOfMessage();
  const message = chargeSent(money, { challengeId: key.challengeId, number, receipt });
  await money.wallet.write();
  return message;
}

export async function resendInSandbox(
  tx: Tx,
  { vault }: ReportDependencies,
  { opened: { key }, smsSentCount }: Pick<Resend, 'opened' | 'smsSentCount'>,
): Promise<{ readonly sendId: undefined } | RefusedMessage> {
  const { tenantId, creditReportId } = key;
  const { request } = await openRequest(tx, vault, tenantId, creditReportId);
  const { resend: option, receipt } = request.testOptions ?? {};
  if (option !== undefined) return refuse(tx, tenantId, option);
  const isPriced = request.testOptions?.charges === true && request.mobileNumber !== undefined;
  const isCharged = isPriced && (await findTestCharge(tx, key)) !== undefined;
  const message = isCharged ? await charge(tx, key, { number: smsSentCount, receipt }) : undefined;
  await appendEvents(tx, messageEvents(key, receipt, message));
  return { sendId: undefined };
}
