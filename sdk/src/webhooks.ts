// Receives webhooks (Standard Webhooks 1.0.0, symmetric signatures): proves that a delivery comes from the service, and
// if it cannot, says which mistake is the likely one. Runs on Web Crypto alone, so in every runtime.
import { describeMissing } from './describe-missing.ts';
import type { WebhookMessage } from './events.ts';

/** What went wrong, for programs. The message says what to do about it. */
export type WebhookMistake =
  | 'body-parsed'
  | 'body-empty'
  | 'body-too-large'
  | 'body-changed'
  | 'headers-missing'
  | 'header-missing'
  | 'header-malformed'
  | 'timestamp-old'
  | 'timestamp-ahead'
  | 'secret-malformed'
  | 'secret-wrong';

/** A webhook could not be verified: do not trust its body. */
export class TrefoilWebhookError extends Error {
  override readonly name = 'TrefoilWebhookError';
  /** The likely mistake, for programs. */
  readonly mistake: WebhookMistake;

  constructor(mistake: WebhookMistake, message: string, options?: ErrorOptions) {
    super(message, options);
    this.mistake = mistake;
  }
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type UnwrapOptions = {
  /** How old, or how far ahead of this machine's clock, a delivery may be: from 0 up, and finite. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
};

const ID = 'webhook-id';
const TIMESTAMP = 'webhook-timestamp';
const SIGNATURE = 'webhook-signature';
const SECRET_PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
/** Our messages have a few hundred bytes. Beyond these limits nothing is worth a hash: the sender need not be us. */
const BODY_MAX = 65_536;
const HEADER_MAX = 4_096;

/** Not `CryptoKey`: that name is a type in some environments only. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
/** Of HMAC-SHA256. Anything else in the header cannot be right and is not worth a hash over the body. */
const SIGNATURE_BYTES = 32;
/** One for each secret that is valid at a time; the header is the sender's, who need not be us. */
const SIGNATURES_MAX = 10;

type Signed = {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
};

/**
 * The event of a delivery, once its signature and time are proved; otherwise throws TrefoilWebhookError. `rawBody` is
 * the body as it arrived, before any parser. During a change of secret, pass the new one and the old one.
 */
async function unwrap<Message = WebhookMessage>(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: UnwrapOptions = {},
): Promise<Message> {
  // Every comparison with NaN is false, so it would accept any age.
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new TypeError(
      `toleranceSeconds is ${String(toleranceSeconds)}. Pass a number of seconds from 0 up, or leave it out for ${TOLERANCE_SECONDS}.`,
    );
  }
  const body = readBody(rawBody);
  const signed = readHeaders(headers);
  const keys = await Promise.all([secret].flat().map((each) => importKey(each, 'verify')));
  if (keys.length === 0) throw malformedSecret('The list of secrets is empty.');
  if (!(await isSigned(body, signed, keys))) throw await explainMismatch(body, headers, signed, keys);
  // After the signature: an unsigned timestamp proves nothing about the age of the delivery.
  checkAge(Number(signed.timestamp), toleranceSeconds);
  return parse(body) as Message;
}

export type SignOptions = { readonly id: string; readonly secret: string; readonly timestamp?: number | undefined };

/** The headers of a delivery, for tests of your own receiver. `timestamp` is in seconds; default: now. */
async function sign(
  body: string,
  { id, secret, timestamp = Math.floor(Date.now() / 1_000) }: SignOptions,
): Promise<Record<typeof ID | typeof TIMESTAMP | typeof SIGNATURE, string>> {
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(secret, 'sign'), content));
  return {
    [ID]: id,
    [TIMESTAMP]: String(timestamp),
    [SIGNATURE]: `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

/** To verify the webhooks that arrive, and to sign some for tests. */
export const webhooks = { unwrap, sign };

function readBody(body: unknown): string {
  if (typeof body === 'string') {
    if (body.length > BODY_MAX) throw largeBody();
    if (body === '[object Object]') throw parsedBody('was parsed and then turned into text');
    if (body === '') throw emptyBody();
    return body;
  }
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) {
    if (body.byteLength > BODY_MAX) throw largeBody();
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
    if (text === '') throw emptyBody();
    return text;
  }
  if (body === undefined || body === null) throw emptyBody();
  if (body instanceof Promise) throw parsedBody('is a promise: await it first');
  throw parsedBody(`is ${Array.isArray(body) ? 'an array' : `of the type ${typeof body}`}, so a parser has read it`);
}

const parsedBody = (found: string) =>
  new TrefoilWebhookError(
    'body-parsed',
    `The body ${found}. The signature covers the bytes as they arrived. Pass those: with Express express.raw({ type: 'application/json' }) on this route, in Fetch-style handlers await request.text().`,
  );

const emptyBody = () =>
  new TrefoilWebhookError(
    'body-empty',
    'The body is empty. Something read the request before this call, such as a body parser, or nothing read it: pass the whole raw body.',
  );

const largeBody = () =>
  new TrefoilWebhookError(
    'body-too-large',
    `The body has more than ${BODY_MAX} bytes. No message of the service has, so something else sent it: refuse it. Let your server stop reading there.`,
  );

const malformedSecret = (found: string) =>
  new TrefoilWebhookError(
    'secret-malformed',
    `${found} Use the signing secret of the webhook endpoint. It begins with whsec_ and is not the client secret.`,
  );

function readHeaders(headers: WebhookHeaders): Signed {
  const given = headers as unknown;
  if (typeof given !== 'object' || given === null) {
    throw new TrefoilWebhookError('headers-missing', `headers is ${String(given)}. Pass the headers of the request.`);
  }
  if (!(headers instanceof Headers) && 'headers' in headers && typeof headers['headers'] === 'object') {
    throw new TrefoilWebhookError('headers-missing', 'headers is the request itself. Pass request.headers.');
  }
  const names = [ID, TIMESTAMP, SIGNATURE];
  const missing = names.filter((name) => !headerOf(headers, name));
  if (missing.length === names.length) {
    throw new TrefoilWebhookError(
      'headers-missing',
      `The headers ${names.join(', ')} are all missing. Either something other than the service sent this request, or a proxy between the service and this program removes headers that it does not know: let it pass webhook-*.`,
    );
  }
  if (missing.length > 0) {
    throw new TrefoilWebhookError(
      'header-missing',
      `The header ${missing.join(' and ')} is missing, while ${names.filter((name) => !missing.includes(name)).join(' and ')} arrived. A proxy or gateway between the service and this program removed it: let it pass webhook-*.`,
    );
  }
  const [id = '', timestamp = '', signature = ''] = names.map((name) => headerOf(headers, name));
  if ([id, timestamp, signature].some((value) => value.length > HEADER_MAX)) {
    throw new TrefoilWebhookError(
      'header-malformed',
      `A header webhook-* has more than ${HEADER_MAX} characters. The service sends none, so something else sent it: refuse it.`,
    );
  }
  if (!/^\d{1,11}$/.test(timestamp)) {
    const hint = /^\d{12,}$/.test(timestamp) ? 'It looks like milliseconds.' : 'Something on the way changed it.';
    throw new TrefoilWebhookError('header-malformed', `webhook-timestamp must be seconds since 1970. ${hint}`);
  }
  const signatures = signature.split(' ').flatMap((each) => readSignature(each) ?? []);
  if (signatures.length === 0) {
    throw new TrefoilWebhookError(
      'header-malformed',
      'webhook-signature has no complete signature of version 1 (v1,…). A proxy cut it, or the sender uses another kind of signature.',
    );
  }
  return { id, timestamp, signatures: signatures.slice(0, SIGNATURES_MAX) };
}

function readSignature(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = text.startsWith('v1,') ? fromBase64(text.slice(3)) : undefined;
  return bytes?.length === SIGNATURE_BYTES ? bytes : undefined;
}

/** Header names in any case; a list is what some servers make of a header that was sent twice. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(' ');
}

async function importKey(secret: string, usage: 'sign' | 'verify'): Promise<Key> {
  if (typeof secret !== 'string' || secret === '') {
    throw malformedSecret(`The secret is ${describeMissing(secret)}: its setting may be missing.`);
  }
  if (secret.trim() !== secret) throw malformedSecret('The secret begins or ends with a space or a line break.');
  if (!secret.startsWith(SECRET_PREFIX)) throw malformedSecret('The secret does not begin with whsec_.');
  const bytes = fromBase64(secret.slice(SECRET_PREFIX.length));
  if (!bytes || bytes.length === 0)
    throw malformedSecret('The secret is incomplete: what follows whsec_ is not base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** `verify` compares in constant time. */
async function isSigned(body: string, signed: Signed, keys: readonly Key[]): Promise<boolean> {
  const content = new TextEncoder().encode(`${signed.id}.${signed.timestamp}.${body}`);
  for (const key of keys) {
    for (const signature of signed.signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;
    }
  }
  return false;
}

/** The signature alone cannot say whether the body or the secret is wrong. These traces of a changed body can. */
async function explainMismatch(
  body: string,
  headers: WebhookHeaders,
  signed: Signed,
  keys: readonly Key[],
): Promise<TrefoilWebhookError> {
  const changed = (found: string) =>
    new TrefoilWebhookError('body-changed', `${found} Pass the bytes of the body exactly as they arrived.`);
  let compact: string;
  try {
    compact = JSON.stringify(JSON.parse(body));
  } catch {
    return changed('The signature does not fit, and the body is not JSON: it was cut or changed on its way.');
  }
  for (const candidate of [compact, body.trim()]) {
    if (candidate !== body && (await isSigned(candidate, signed, keys))) {
      return changed(
        'The body was parsed and written again, or spaces were added: the signature fits the compact form.',
      );
    }
  }
  const length = Number(headerOf(headers, 'content-length') ?? Number.NaN);
  const arrived = new TextEncoder().encode(body).length;
  if (Number.isFinite(length) && length !== arrived) {
    return changed(`The body has ${arrived} bytes, and content-length says ${length}: it was cut or decoded wrongly.`);
  }
  return new TrefoilWebhookError(
    'secret-wrong',
    'The signature does not fit the secret. The secret is that of another endpoint, of another environment (test, live, the listener), or an old one after a change: copy the secret of this endpoint again. If it is the right one, something changes the body on its way.',
  );
}

function checkAge(timestamp: number, toleranceSeconds: number): void {
  const ageSeconds = Math.round(Date.now() / 1_000 - timestamp);
  if (ageSeconds > toleranceSeconds) {
    throw new TrefoilWebhookError(
      'timestamp-old',
      `The delivery was signed ${ageSeconds} seconds ago, and ${toleranceSeconds} are allowed. Either somebody repeats an old delivery, or it waited in a queue of yours (verify before you queue it), or this machine's clock is ahead: check NTP.`,
    );
  }
  if (-ageSeconds > toleranceSeconds) {
    throw new TrefoilWebhookError(
      'timestamp-ahead',
      `The delivery was signed ${-ageSeconds} seconds in the future of this machine's clock. The clock is behind: check NTP.`,
    );
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new TrefoilWebhookError('body-changed', 'The signed body is not JSON.', { cause });
  }
}
