// The screening provider's wire: one POST, JSON, a bearer key (WIRE.md, "Screening").
import { isIP } from 'node:net';
import { amountOf, type Behaviours, join, parseBehaviours, QUIET } from '../behaviours.ts';
import type { Control } from '../control.ts';
import { isDate } from '../dates.ts';
import { type Answer, type HttpCall, plain, type Reply } from '../wire.ts';
import { decide, type Subject } from './rules.ts';

export type Provider = {
  readonly apiKey: string;
  readonly control: Control;
  /** Behaviours of the whole run. */
  readonly always: Behaviours;
};

type ScreeningRequest =
  | { readonly kind: 'refused'; readonly field: string }
  | {
      readonly kind: 'request';
      readonly reference: string;
      readonly lastName: string;
      readonly subject: Subject;
    };

const REFERENCE_MAX = 64;
const ADDRESSES_MAX = 10;

export function answerScreening(call: HttpCall, { apiKey, control, always }: Provider): Answer {
  if (call.path !== '/v1/screenings') return quiet(refusal(404, 'not-found'));
  if (call.method !== 'POST') return quiet(refusal(405, 'method-not-allowed'));
  if (call.headers['authorization'] !== `Bearer ${apiKey}`) return quiet(refusal(401, 'unauthenticated'));
  if (!/^application\/json\b/i.test(call.headers['content-type'] ?? '')) {
    return quiet(refusal(415, 'unsupported-media-type'));
  }
  const request = readRequest(call.body);
  if (request.kind === 'refused') return quiet(refusal(400, 'invalid-request', { field: request.field }));
  const { reference, lastName, subject } = request;
  const header = call.headers['x-simulate'];
  const wished = header === undefined ? QUIET : parseBehaviours(header);
  const seen = { call: 'enquiry', enquiryId: reference, lastName, person: null } as const;
  const behaviours = join(always, control.take(seen), wished);
  // Before the response, so that a hung or reset request is in the log too.
  control.record(seen, behaviours, new Date().toISOString());
  return { reply: refusalFor(behaviours) ?? replyTo(reference, subject, behaviours), behaviours };
}

function replyTo(reference: string, subject: Subject, behaviours: Behaviours): Reply {
  const verdict = decide(subject);
  if (verdict.kind === 'down') return refusal(503, 'unavailable');
  const { decision, reasons } = verdict;
  if (!behaviours.has('unknown-codes')) return json(200, { reference, decision, reasons });
  return json(200, { reference, decision: 'review', reasons: [...reasons, 'A NEW KIND OF REASON'], score: 50 });
}

function refusalFor(behaviours: Behaviours): Reply | undefined {
  const seconds = amountOf(behaviours, 'throttle', 1);
  if (seconds !== undefined) {
    const reply = refusal(429, 'too-many-requests');
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(seconds) } };
  }
  if (behaviours.has('maintenance')) return refusal(503, 'maintenance');
  const wish = behaviours.get('error');
  if (wish === undefined) return undefined;
  return /^[45]\d\d$/.test(wish) ? plain(Number(wish), `error ${wish}`) : refusal(503, 'unavailable');
}

function readRequest(body: string): ScreeningRequest {
  const root = recordOf(parse(body));
  const wrong = (field: string): ScreeningRequest => ({ kind: 'refused', field });
  if (!root) return wrong('');
  const reference = textOf(root['reference']);
  if (!reference || reference.length > REFERENCE_MAX) return wrong('/reference');
  if (!textOf(root['purpose'])) return wrong('/purpose');
  const ipAddress = textOf(root['ipAddress']);
  if (isIP(ipAddress) === 0) return wrong('/ipAddress');
  const person = recordOf(root['person']) ?? {};
  for (const name of ['firstName', 'lastName']) if (!textOf(person[name])) return wrong(`/person/${name}`);
  if (!isDate(textOf(person['dateOfBirth']))) return wrong('/person/dateOfBirth');
  const addresses = root['addresses'];
  if (!Array.isArray(addresses) || addresses.length > ADDRESSES_MAX) return wrong('/addresses');
  if (!addresses.every((address) => textOf(recordOf(address)?.['postcode']))) return wrong('/addresses');
  const device = root['device'] ?? null;
  if (device !== null && !textOf(recordOf(device)?.['digest'])) return wrong('/device/digest');
  const email = textOf(recordOf(root['contact'])?.['email']) || null;
  const lastName = textOf(person['lastName']);
  return { kind: 'request', reference, lastName, subject: { email, ipAddress, hasDevice: device !== null } };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const recordOf = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function refusal(status: number, error: string, more: object = {}): Reply {
  return json(status, { error, ...more });
}

const json = (status: number, value: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

const quiet = (reply: Reply): Answer => ({ reply, behaviours: QUIET });
