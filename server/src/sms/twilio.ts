// Twilio, over its REST interface: one POST per message, the signed status callbacks, and a GET that asks about one
// message. Its texts may quote the number, so only its codes are kept. A message is never submitted
// twice.
import { type Static, Type } from 'typebox';
import { isUuid } from '../lib/ids.ts';
import { GUARD_SETTINGS } from '../lib/outside/guard-calls.ts';
import { isObject, own, parseStrictJson } from '../lib/outside/strict-json.ts';
import { closed, HttpUrl, SettingText } from '../lib/setting-schema.ts';
import type {
  AskOutcome,
  Carrier,
  CarrierReceipt,
  ReceiptReader,
  ReceiptReading,
  ReceiptRequest,
  SmsMessage,
  SmsOutcome,
} from './port.ts';
import { openLine, type Posted } from './post-once.ts';
import { isSigned, spellingsOf } from './twilio-signature.ts';

const NAME = 'twilio';

/** What an operator sets. */
export const TwilioAccount = closed(
  {
    carrier: Type.Literal(NAME, { description: NAME }),
    /** `https://api.twilio.com`, or a simulator's address. */
    apiBaseUrl: HttpUrl,
    accountSid: SettingText,
    /** Authenticates sends, and verifies receipts. */
    authToken: SettingText,
    /** Also verifies receipts, while a token is being replaced. */
    previousAuthToken: Type.Optional(SettingText),
    /** The sender: a number or name, or a service that has some. */
    from: Type.Optional(SettingText),
    messagingServiceSid: Type.Optional(SettingText),
    timeoutMs: GUARD_SETTINGS.timeoutMs,
    maxConcurrent: GUARD_SETTINGS.maxConcurrent,
  },
  {
    anyOf: [{ required: ['from'] }, { required: ['messagingServiceSid'] }],
    'x-message': '/from is missing, and so is /messagingServiceSid: one is needed',
  },
);
export type TwilioAccount = Static<typeof TwilioAccount>;

export type TwilioSettings = Omit<TwilioAccount, 'carrier'> & {
  /** The address at which Twilio reaches this service from outside, without `/v1/…`. */
  readonly callbackBaseUrl: string;
};

const TIMEOUT_MS = 10_000;
const CONCURRENT_MAX = 20;
/** A job asks, and asks again later: no request waits for the answer. */
const ASK_TIMEOUT_MS = 5_000;
const ASK_CONCURRENT_MAX = 10;
const RECEIPT_BYTES_MAX = 64 * 1024;
/**
 * Twilio's connection overrides: repeat a receipt, up to five times, after a 5xx, a failed connection or no answer.
 * All attempts together have 15 seconds, so each gets less than that. The fragment is neither sent nor signed.
 */
const REDELIVERY = 'rc=5&rp=5xx,ct,rt&ct=2000&rt=5000';
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

export function createTwilio(settings: TwilioSettings): Carrier & ReceiptReader {
  const { apiBaseUrl, timeoutMs = TIMEOUT_MS, maxConcurrent = CONCURRENT_MAX } = settings;
  const callbackBaseUrl = settings.callbackBaseUrl.replace(/\/+$/, '');
  const account = { ...settings, callbackBaseUrl };
  const bases = spellingsOf(callbackBaseUrl);
  const line = openLine({ baseUrl: apiBaseUrl, timeoutMs, maxConcurrent });
  // Separate connections: questions that hang must not keep a message waiting for a place.
  const askLine = openLine({
    baseUrl: apiBaseUrl,
    timeoutMs: Math.min(timeoutMs, ASK_TIMEOUT_MS),
    maxConcurrent: ASK_CONCURRENT_MAX,
  });
  return {
    name: NAME,
    send: async (message) => toOutcome(await line.postOnce(writeSubmit(account, message))),
    async ask(carrierRef) {
      if (!MESSAGE_SID.test(carrierRef)) return unknown('not a reference of its own');
      return toAskOutcome(account, carrierRef, await askLine.getOnce(writeAsk(account, carrierRef)));
    },
    readReceipt: (request) => readReceipt(account, bases, request),
    async close() {
      await Promise.all([line.close(), askLine.close()]);
    },
  };
}

const messagesPath = ({ accountSid }: TwilioSettings) =>
  `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages`;

const headersOf = ({ accountSid, authToken }: TwilioSettings) => ({
  authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  accept: 'application/json',
});

function writeSubmit(settings: TwilioSettings, { to, text, sendId, tenantId }: SmsMessage) {
  const { callbackBaseUrl } = settings;
  const about = new URLSearchParams({ tenant: tenantId, send: sendId });
  const form = new URLSearchParams({
    To: to,
    ...(settings.from === undefined
      ? { MessagingServiceSid: settings.messagingServiceSid ?? '' }
      : { From: settings.from }),
    Body: text,
    StatusCallback: `${callbackBaseUrl}/v1/carriers/${NAME}/receipts?${about}#${REDELIVERY}`,
  });
  return {
    path: `${messagesPath(settings)}.json`,
    headers: { ...headersOf(settings), 'content-type': 'application/x-www-form-urlencoded' },
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
    // Twilio accepted it, but we do not know its reference: the receipt will say.
    if (typeof sid !== 'string' || !MESSAGE_SID.test(sid)) return unknown('a 201 without a reference');
    return { kind: 'accepted', carrierRef: sid };
  }
  if (status >= 400 && status <= 499) {
    const { code } = reply;
    if (Number.isSafeInteger(code)) return { kind: 'refused', reason: `${NAME}-${code}` };
    if (status === 429) return { kind: 'refused', reason: 'throttled' };
  }
  // A refusal that is not in Twilio's form comes from an intermediary, which may have forwarded the message.
  return unknown(`status ${status}`);
}

const writeAsk = (settings: TwilioSettings, carrierRef: string) => ({
  path: `${messagesPath(settings)}/${carrierRef}.json`,
  headers: headersOf(settings),
});

/** The reply quotes the number and the text of the message: only the state leaves this function. */
function toAskOutcome({ accountSid }: TwilioSettings, carrierRef: string, posted: Posted): AskOutcome {
  if (posted.kind !== 'reply') return unknown(posted.why);
  if (posted.status !== 200) return unknown(`status ${posted.status}`);
  let reply: unknown;
  try {
    reply = parseStrictJson(posted.bytes);
  } catch {
    return unknown('not JSON');
  }
  if (!isObject(reply)) return unknown('not a message');
  // The state of another message must not be charged to this one.
  if (own(reply, 'sid') !== carrierRef || own(reply, 'account_sid') !== accountSid) return unknown('another message');
  const status = own(reply, 'status');
  const known = typeof status === 'string' ? STATUSES.get(status) : undefined;
  if (known === undefined) return unknown('an unknown state');
  return known === 'delivered' || known === 'undelivered' ? { kind: 'final', status: known } : { kind: 'open' };
}

/** `what` is our own phrase: the messages of network libraries may quote what they read. */
const unknown = (what: string) => ({ kind: 'unknown', cause: new Error(`${NAME}: ${what}`) }) as const;

function readJson(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Twilio's receipts have no time, so an old one looks like a new one: code that stores them must tolerate repetition. */
function readReceipt(
  { accountSid, authToken, previousAuthToken }: TwilioSettings,
  bases: readonly string[],
  { url, contentType, body, headers }: ReceiptRequest,
): ReceiptReading {
  const signature = headers['x-twilio-signature'];
  if (signature === undefined) return { kind: 'refused' };
  if (!isForm(contentType) || Buffer.byteLength(body) > RECEIPT_BYTES_MAX) return { kind: 'unreadable' };
  const parameters = new URLSearchParams(body);
  // First, because it is cheap: a stranger rarely knows the account.
  if (only(parameters, 'AccountSid') !== accountSid) return { kind: 'refused' };
  const tokens = previousAuthToken === undefined ? [authToken] : [authToken, previousAuthToken];
  if (!isSigned({ bases, url, parameters, signature }, tokens)) return { kind: 'refused' };
  return toReading(parameters, new URLSearchParams(url.slice(url.indexOf('?') + 1)));
}

function toReading(parameters: URLSearchParams, query: URLSearchParams): ReceiptReading {
  const carrierRef = only(parameters, 'MessageSid');
  const status = STATUSES.get(only(parameters, 'MessageStatus') ?? '');
  const tenantId = only(query, 'tenant');
  const sendId = only(query, 'send');
  // The signature joins names and values without a separator, so each part must match its own form.
  if (carrierRef === undefined || !MESSAGE_SID.test(carrierRef)) return { kind: 'unreadable' };
  if (tenantId === undefined || !isUuid(tenantId) || sendId === undefined || !isUuid(sendId))
    return { kind: 'unreadable' };
  if (status === undefined) return { kind: 'unreadable' };
  if (status === 'progress') return { kind: 'progress' };
  return { kind: 'receipt', receipt: { tenantId, sendId, carrierRef, status } };
}

/** Undefined when it is absent or repeated: two values count as none. */
function only(values: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = values.getAll(name);
  return more.length === 0 ? value : undefined;
}

const isForm = (contentType = '') =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
