// Twilio, over its REST interface: one POST for each message, and the signed status callbacks that come back. Its texts
// may quote the number, so only its codes are kept; and a message is never submitted twice.
import { isUuid } from '../lib/ids.ts';
import type { Carrier, CarrierReceipt, ReceiptReading, ReceiptRequest, SmsMessage, SmsOutcome } from './port.ts';
import { openLine, type Posted } from './post-once.ts';
import { isSigned, spellingsOf } from './twilio-signature.ts';

export type TwilioSettings = {
  /** `https://api.twilio.com`, or a simulator's address. */
  readonly apiBaseUrl: string;
  readonly accountSid: string;
  /** Sends, and verifies receipts. */
  readonly authToken: string;
  /** Also verifies receipts, while a token is being replaced. */
  readonly previousAuthToken?: string;
  /** Where Twilio reaches this service from outside, without `/v1/…`. */
  readonly callbackBaseUrl: string;
  readonly timeoutMs?: number;
  readonly maxConcurrent?: number;
} & ({ readonly from: string } | { readonly messagingServiceSid: string });

const NAME = 'twilio';
const TIMEOUT_MS = 10_000;
const CONCURRENT_MAX = 20;
const RECEIPT_BYTES_MAX = 64 * 1024;
const MESSAGE_SID = /^(SM|MM)[0-9a-f]{32}$/i;

const STATUSES = new Map<string, CarrierReceipt['status'] | 'progress'>([
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'undelivered'],
  ['canceled', 'undelivered'],
  ['sent', 'sent'],
  ...['accepted', 'scheduled', 'queued', 'sending', 'receiving', 'received'].map(
    (status) => [status, 'progress'] as const,
  ),
]);

export function createTwilio(settings: TwilioSettings): Carrier {
  const { apiBaseUrl, timeoutMs = TIMEOUT_MS, maxConcurrent = CONCURRENT_MAX } = settings;
  const callbackBaseUrl = settings.callbackBaseUrl.replace(/\/+$/, '');
  const account = { ...settings, callbackBaseUrl };
  const bases = spellingsOf(callbackBaseUrl);
  const line = openLine({ baseUrl: apiBaseUrl, timeoutMs, maxConcurrent });
  return {
    name: NAME,
    send: async (message) => toOutcome(await line.postOnce(writeSubmit(account, message))),
    readReceipt: (request) => readReceipt(account, bases, request),
    close: () => line.close(),
  };
}

function writeSubmit(settings: TwilioSettings, { to, text, sendId, tenantId }: SmsMessage) {
  const { accountSid, authToken, callbackBaseUrl } = settings;
  const about = new URLSearchParams({ tenant: tenantId, send: sendId });
  const form = new URLSearchParams({
    To: to,
    ...('from' in settings ? { From: settings.from } : { MessagingServiceSid: settings.messagingServiceSid }),
    Body: text,
    StatusCallback: `${callbackBaseUrl}/v1/carriers/${NAME}/receipts?${about}`,
  });
  return {
    path: `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    headers: {
      authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: form.toString(),
  };
}

function toOutcome(posted: Posted): SmsOutcome {
  if (posted.kind === 'not-sent') return { kind: 'refused', reason: posted.why };
  if (posted.kind === 'lost') return unknown(posted.why);
  const { status, bytes } = posted;
  const reply = readJson(bytes);
  if (status === 201) {
    const { sid } = reply;
    // It was taken, and we cannot tell under which reference: its receipt will say.
    if (typeof sid !== 'string' || !MESSAGE_SID.test(sid)) return unknown('a 201 without a reference');
    return { kind: 'accepted', carrierRef: sid };
  }
  if (status >= 400 && status <= 499) {
    const { code } = reply;
    if (Number.isSafeInteger(code)) return { kind: 'refused', reason: `${NAME}-${code}` };
    if (status === 429) return { kind: 'refused', reason: 'throttled' };
  }
  // A refusal that is not in Twilio's form is somebody's on the way, who may have passed the message on.
  return unknown(`status ${status}`);
}

/** `what` is a phrase of ours: the messages of network libraries may quote what they read. */
const unknown = (what: string): SmsOutcome => ({ kind: 'unknown', cause: new Error(`${NAME}: ${what}`) });

function readJson(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Twilio's receipts bear no time, so an old one cannot be told from a new one: who stores them must bear repetition. */
function readReceipt(
  { accountSid, authToken, previousAuthToken }: TwilioSettings,
  bases: readonly string[],
  { url, contentType, body, headers }: ReceiptRequest,
): ReceiptReading {
  const signature = headers['x-twilio-signature'];
  if (signature === undefined) return { kind: 'refused' };
  if (!isForm(contentType) || Buffer.byteLength(body) > RECEIPT_BYTES_MAX) return { kind: 'unreadable' };
  const parameters = new URLSearchParams(body);
  const tokens = previousAuthToken === undefined ? [authToken] : [authToken, previousAuthToken];
  if (!isSigned({ bases, url, parameters, signature }, tokens)) return { kind: 'refused' };
  if (only(parameters, 'AccountSid') !== accountSid) return { kind: 'refused' };
  return toReading(parameters, new URLSearchParams(url.slice(url.indexOf('?') + 1)));
}

function toReading(parameters: URLSearchParams, query: URLSearchParams): ReceiptReading {
  const carrierRef = only(parameters, 'MessageSid');
  const status = STATUSES.get(only(parameters, 'MessageStatus') ?? '');
  const tenantId = only(query, 'tenant');
  const sendId = only(query, 'send');
  // The signature joins names and values without a mark between them, so each part is held to its own form.
  if (carrierRef === undefined || !MESSAGE_SID.test(carrierRef)) return { kind: 'unreadable' };
  if (tenantId === undefined || !isUuid(tenantId) || sendId === undefined || !isUuid(sendId))
    return { kind: 'unreadable' };
  if (status === undefined) return { kind: 'unreadable' };
  if (status === 'progress') return { kind: 'progress' };
  return { kind: 'receipt', receipt: { tenantId, sendId, carrierRef, status } };
}

/** Undefined when it is absent or there more than once: two values are none. */
function only(values: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = values.getAll(name);
  return more.length === 0 ? value : undefined;
}

const isForm = (contentType = '') =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
