// Beacon: one POST, flat JSON, errors as a return code inside HTTP 200. Only throttling has its own status.
import { amountOf, type Behaviours, QUIET } from '../behaviours.ts';
import { isDate } from '../dates.ts';
import type { EnquiryHandler, Subject } from '../enquiry-handler.ts';
import { hash32 } from '../random.ts';
import { type Answer, type HttpCall, plain, type Reply, type Wire } from '../wire.ts';
import { RETURN_CODES, type ReturnCode } from './codes.ts';
import { date, writeFile } from './file.ts';

type BeaconCredentials = { readonly apiKey: string };

type BeaconRequest =
  | { readonly kind: 'refused'; readonly code: ReturnCode; readonly reference: string; readonly detail?: string }
  | { readonly kind: 'enquiry'; readonly reference: string; readonly subject: Subject };

const LOCATIONS_MAX = 10;

export function createBeacon({ apiKey }: BeaconCredentials): Wire {
  function answer(call: HttpCall, handler: EnquiryHandler): Answer | undefined {
    if (call.path !== '/v2/file') return undefined;
    if (call.method !== 'POST') return quiet(notHere(405));
    if (call.headers['x-api-key'] !== apiKey) return quiet(refusal('0401', '', handler));
    const request = readRequest(call.body);
    if (request.kind === 'refused') return quiet(refusal(request.code, request.reference, handler, request.detail));
    const { reference, subject } = request;
    const { view, behaviours } = handler.enquire(reference, subject, call.headers['x-simulate']);
    const refused = refusalFor(behaviours, reference, handler);
    if (refused) return { reply: refused, behaviours };
    if (!view) return { reply: refusal('0100', reference, handler), behaviours };
    return {
      reply: json(200, { hdr: header('0000', reference, handler), ...writeFile(view, handler.options) }),
      behaviours,
    };
  }
  return { bureau: 'beacon', format: 'json', answer, notHere };
}

function readRequest(body: string): BeaconRequest {
  const root = parse(body);
  if (!root) return { kind: 'refused', code: '0210', reference: '' };
  const [hdr, sub] = [recordOf(root['hdr']), recordOf(root['sub'])];
  const reference = textOf(hdr['ref']);
  const wrong = (detail: string): BeaconRequest => ({ kind: 'refused', code: '0211', reference, detail });
  if (!reference || reference.length > 64) return wrong('HDR.REF');
  const [given, family] = [textOf(sub['fn']), textOf(sub['sn'])];
  if (!given) return wrong('SUB.FN');
  if (!family) return wrong('SUB.SN');
  const born = textOf(sub['dob']).replace(/^(\d\d)(\d\d)(\d{4})$/, '$3-$2-$1');
  if (!isDate(born)) return wrong('SUB.DOB');
  const locations = root['loc'] ?? [];
  if (!Array.isArray(locations) || locations.length > LOCATIONS_MAX) return wrong('LOC');
  const postcodes = locations.map((location: unknown) => textOf(recordOf(location)['pc']));
  if (postcodes.includes('')) return wrong('LOC.PC');
  return { kind: 'enquiry', reference, subject: { given, family, born, postcodes } };
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const recordOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Every value is a string: a number in its place is ignored. */
const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

function refusalFor(behaviours: Behaviours, reference: string, handler: EnquiryHandler): Reply | undefined {
  const seconds = amountOf(behaviours, 'throttle', 1);
  if (seconds !== undefined) {
    const reply = refusal('0429', reference, handler);
    return { ...reply, status: 429, headers: { ...reply.headers, 'retry-after': String(seconds) } };
  }
  if (behaviours.has('maintenance')) return refusal('0900', reference, handler);
  const wish = behaviours.get('error');
  if (wish === undefined) return undefined;
  if (/^[45]\d\d$/.test(wish)) return plain(Number(wish), `error ${wish}`);
  return refusal(wish in RETURN_CODES ? (wish as ReturnCode) : '0451', reference, handler);
}

function refusal(code: ReturnCode, reference: string, handler: EnquiryHandler, detail?: string): Reply {
  return json(200, { hdr: header(code, reference, handler, detail) });
}

function header(code: ReturnCode, reference: string, handler: EnquiryHandler, detail?: string): object {
  const time = handler.timeOf(reference);
  const number = hash32(`beacon/${reference}`) * 997;
  const isMade = code === '0000' || code === '0100';
  return {
    rc: code,
    txn: isMade ? `BCN${String(number).padStart(13, '0')}` : '',
    ref: reference,
    ts: date(time.slice(0, 10)) + time.slice(11).replaceAll(':', ''),
    msg: detail ? `${RETURN_CODES[code]}: ${detail}` : RETURN_CODES[code],
  };
}

const json = (status: number, value: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

const quiet = (reply: Reply): Answer => ({ reply, behaviours: QUIET });

const notHere = (status: 404 | 405): Reply => plain(status, status === 404 ? 'NOT FOUND' : 'METHOD NOT ALLOWED');
