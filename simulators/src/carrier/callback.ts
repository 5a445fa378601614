// Sends a receipt to the sender of the message: a signed form, posted again at once where the overrides in the callback's
// address cover the response, and otherwise never.
import { createHmac, randomUUID } from 'node:crypto';
import { sleep } from '../sleep.ts';
import type { Inbox, Message } from './inbox.ts';
import { type Answer, isToldAgain } from './overrides.ts';
import type { Plan } from './plan.ts';
import { post } from './post.ts';

const ERROR_CODES: Readonly<Record<string, string>> = { undelivered: '30003', failed: '30008' };

export type Signer = { readonly accountSid: string; readonly authToken: string };

/** Each receipt waits for the response to the previous one, so that they arrive in the planned order. */
export async function tellReceipts(inbox: Inbox, message: Message, plan: Plan, signer: Signer): Promise<void> {
  try {
    await sleep(plan.lateMs, message.stop.signal);
  } catch {
    return;
  }
  for (const status of plan.receipts) {
    if (plan.state === null) message.state = status;
    for (let copy = 0; copy < plan.copies; copy++) await tellReceipt(inbox, message, status, signer);
  }
}

/** The HTTP status of the last response, null when there was none. */
export async function tellReceipt(
  inbox: Inbox,
  message: Message,
  status: string,
  signer: Signer,
): Promise<number | null> {
  const { callback, overrides, stop } = message;
  if (callback === null) return null;
  const fields = fieldsOf(message, status, signer.accountSid);
  const request = {
    url: callback,
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'user-agent': 'CarrierSimulator/1',
      'x-twilio-signature': sign(signer.authToken, callback, fields),
      // The same for every attempt of one receipt.
      'i-twilio-idempotency-token': randomUUID(),
    },
    body: new URLSearchParams(fields).toString(),
    signal: stop.signal,
  };
  const endsAtMs = performance.now() + overrides.totalMs;
  let answer: Answer = 'ct';
  for (let attempt = 0; attempt <= overrides.retries && !stop.signal.aborted; attempt++) {
    const leftMs = endsAtMs - performance.now();
    if (leftMs <= 0 || (attempt > 0 && !isToldAgain(overrides, answer))) break;
    const { connectMs, readMs } = overrides;
    answer = await post({ ...request, connectMs: Math.min(connectMs, leftMs), readMs: Math.min(readMs, leftMs) });
    inbox.addReceipt(message, { status, at: new Date().toISOString(), answer: numberOf(answer) });
  }
  return numberOf(answer);
}

const numberOf = (answer: Answer) => (typeof answer === 'number' ? answer : null);

function fieldsOf({ sid, to, from }: Message, status: string, accountSid: string): Record<string, string> {
  const errorCode = ERROR_CODES[status];
  return {
    ...(errorCode !== undefined && { ErrorCode: errorCode }),
    ...{ SmsSid: sid, SmsStatus: status, MessageStatus: status, To: to, MessageSid: sid },
    ...{ AccountSid: accountSid, From: from, ApiVersion: '2010-04-01' },
  };
}

/** The address as given, then each name and value in the order of names; HMAC-SHA1 under the token; base64. */
export function sign(authToken: string, address: string, fields: Readonly<Record<string, string>>): string {
  let text = address;
  for (const name of Object.keys(fields).sort((left, right) => (left < right ? -1 : 1))) text += name + fields[name];
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}
