// Tells a receipt to whoever sent the message: a signed form, posted once. A real carrier would not try again either.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Inbox, Message } from './inbox.ts';
import type { Plan } from './plan.ts';

const ANSWER_MS_MAX = 15_000;
const ERROR_CODES: Readonly<Record<string, string>> = { undelivered: '30003', failed: '30008' };

export type Signer = { readonly accountSid: string; readonly authToken: string };

/** Each receipt waits for the answer to the one before, so that the order is the one that was asked for. */
export async function tellReceipts(inbox: Inbox, message: Message, plan: Plan, signer: Signer): Promise<void> {
  try {
    await sleep(plan.lateMs, undefined, { signal: message.stop.signal });
  } catch {
    return;
  }
  for (const status of plan.receipts) {
    for (let copy = 0; copy < plan.copies; copy++) await tellReceipt(inbox, message, status, signer);
  }
}

/** The HTTP status of the answer, null when there was none. */
export async function tellReceipt(
  inbox: Inbox,
  message: Message,
  status: string,
  signer: Signer,
): Promise<number | null> {
  const { callback, stop } = message;
  if (callback === null || stop.signal.aborted) return null;
  const fields = fieldsOf(message, status, signer.accountSid);
  const answer = await fetch(callback, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'user-agent': 'CarrierSimulator/1',
      'x-twilio-signature': sign(signer.authToken, callback, fields),
    },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => null,
  );
  inbox.addReceipt(message, { status, at: new Date().toISOString(), answer });
  return answer;
}

function fieldsOf({ sid, to, from }: Message, status: string, accountSid: string): Record<string, string> {
  const errorCode = ERROR_CODES[status];
  return {
    ...(errorCode !== undefined && { ErrorCode: errorCode }),
    ...{ SmsSid: sid, SmsStatus: status, MessageStatus: status, To: to, MessageSid: sid },
    ...{ AccountSid: accountSid, From: from, ApiVersion: '2010-04-01' },
  };
}

/** The address as it was given, then each name and value in the order of names; HMAC-SHA1 under the token; base64. */
export function sign(authToken: string, address: string, fields: Readonly<Record<string, string>>): string {
  let text = address;
  for (const name of Object.keys(fields).sort((left, right) => (left < right ? -1 : 1))) text += name + fields[name];
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}
