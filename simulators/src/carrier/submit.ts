// The carrier's two calls: parses a submit and an ask, and writes their responses and refusals.
import { randomBytes } from 'node:crypto';
import { type HttpCall, plain, type Reply } from '../wire.ts';
import type { Signer } from './callback.ts';
import type { Message } from './inbox.ts';
import { readOverrides } from './overrides.ts';
import { segmentsOf } from './segments.ts';

export type Submitted = { readonly kind: 'message'; readonly message: Message };
export type Asked = { readonly kind: 'ask'; readonly sid: string };
export type Refused = { readonly kind: 'refused'; readonly reply: Reply };

const VERSION = '2010-04-01';
const BODY_CHARACTERS_MAX = 1_600;

/** Undefined when the path is not this call's. */
export function readSubmit(call: HttpCall, account: Signer): Submitted | Refused | undefined {
  const [, accountSid] = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/.exec(call.path) ?? [];
  if (accountSid === undefined) return undefined;
  if (call.method !== 'POST') return refused(405, 20_004, 'Method not allowed');
  if (!isAuthentic(call, accountSid, account)) return refused(401, 20_003, 'Authenticate');
  const form = new URLSearchParams(call.body);
  const to = form.get('To') ?? '';
  const from = form.get('From') ?? form.get('MessagingServiceSid') ?? '';
  const body = form.get('Body') ?? '';
  const callback = form.get('StatusCallback');
  if (to === '') return refused(400, 21_604, "A 'To' phone number is required.");
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return refused(400, 21_211, `Invalid 'To' Phone Number: ${to}`);
  if (from === '') return refused(400, 21_603, "A 'From' phone number is required.");
  if (body === '') return refused(400, 21_602, 'Message body is required.');
  if (body.length > BODY_CHARACTERS_MAX) return refused(400, 21_617, 'The body is longer than 1600 characters.');
  if (callback !== null && !/^https?:$/.test(URL.parse(callback)?.protocol ?? ''))
    return refused(400, 21_609, `The 'StatusCallback' URL ${callback} is not a valid URL.`);
  const [address = null, fragment = ''] = callback?.split('#', 2) ?? [];
  const overrides = readOverrides(fragment);
  // Stricter than the real carrier, which would notice at the first receipt.
  if (overrides === undefined) return refused(400, 21_609, 'The overrides of the StatusCallback are not valid.');
  return {
    kind: 'message',
    message: {
      ...{
        sid: `SM${randomBytes(16).toString('hex')}`,
        to,
        from,
        body,
        callback: address,
        overrides,
        ...segmentsOf(body),
      },
      sendId: address === null ? null : new URL(address).searchParams.get('send'),
      receivedAt: new Date().toISOString(),
      ...{ receipts: [], state: 'queued', asks: 0 },
      stop: new AbortController(),
    },
  };
}

/** Undefined when the path is not this call's. */
export function readAsk(call: HttpCall, account: Signer): Asked | Refused | undefined {
  const [, accountSid, sid] = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\/([^/]+)\.json$/.exec(call.path) ?? [];
  if (accountSid === undefined || sid === undefined) return undefined;
  if (call.method !== 'GET') return refused(405, 20_004, 'Method not allowed');
  if (!isAuthentic(call, accountSid, account)) return refused(401, 20_003, 'Authenticate');
  return { kind: 'ask', sid };
}

function isAuthentic({ headers }: HttpCall, accountSid: string, account: Signer): boolean {
  const basic = Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64');
  return accountSid === account.accountSid && headers['authorization'] === `Basic ${basic}`;
}

export const refused = (status: number, code: number, message: string): Refused => ({
  kind: 'refused',
  reply: json(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }),
});

/** The message as the carrier shows it: 201 after a submit, 200 when it is asked. */
export function shown(message: Message, { accountSid }: Signer, status: number, state: string): Reply {
  const { sid, to, from, body, segments, receivedAt } = message;
  const date = new Date(receivedAt).toUTCString().replace('GMT', '+0000');
  const uri = `/${VERSION}/Accounts/${accountSid}/Messages/${sid}`;
  return json(status, {
    ...{ account_sid: accountSid, api_version: VERSION, body, date_created: date, date_sent: null, date_updated: date },
    ...{ direction: 'outbound-api', error_code: null, error_message: null, from, messaging_service_sid: null },
    ...{ num_media: '0', num_segments: String(segments), price: null, price_unit: 'USD', sid, status: state },
    ...{ subresource_uris: { media: `${uri}/Media.json` }, to, uri: `${uri}.json` },
  });
}

export const json = (status: number, value: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: status === 204 ? '' : JSON.stringify(value),
});

export const SERVER_ERROR: Reply = plain(500, 'Internal Server Error');
