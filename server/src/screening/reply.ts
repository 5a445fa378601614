// Reads the provider's reply into an outcome of the port. Pure, and never throws. An unreadable reply is
// `unavailable`: a decision is one of three known words about the report we asked for, and nothing else.
import { type HttpReply, isContentType } from '../lib/outside/http-line.ts';
import { OutsideFault, unintelligible } from '../lib/outside/outside-fault.ts';
import { isObject, type Json, own, parseStrictJson } from '../lib/outside/strict-json.ts';
import type { ScreeningOutcome } from './port.ts';

const DECISIONS = ['allow', 'challenge', 'block'] as const;
const REASONS_MAX = 10;
/** The form of a code. Other text could be about a person, and reasons are kept for years. */
const REASON = /^[a-z0-9-]{1,40}$/;

export function readReply(reply: Omit<HttpReply, 'retryAfterSeconds'>, reference: string): ScreeningOutcome {
  try {
    return readDecision(reply, reference);
  } catch (error) {
    return unavailable(error instanceof OutsideFault ? error : new OutsideFault('unintelligible', 'the reader failed'));
  }
}

export function unavailable(fault: OutsideFault): Extract<ScreeningOutcome, { kind: 'unavailable' }> {
  // For a waiting report, "too many requests" is a refusal like any other.
  return { kind: 'unavailable', reason: fault.reason === 'throttled' ? 'refused' : fault.reason, cause: fault };
}

function readDecision(
  { status, contentType, bytes }: Omit<HttpReply, 'retryAfterSeconds'>,
  reference: string,
): ScreeningOutcome {
  if (status === 429) throw new OutsideFault('throttled', 'HTTP 429');
  // From the provider's documentation: 400 means that a value of this request is wrong, so the provider itself works.
  if (status >= 400) throw new OutsideFault('refused', `HTTP ${status}`, status === 400 ? 'request' : 'provider');
  if (status !== 200 || !isContentType(contentType, 'application/json')) unintelligible('not a reply of this provider');
  const body = parseStrictJson(bytes);
  if (!isObject(body)) return unintelligible('no object');
  // A decision about another report is not ours.
  if (own(body, 'reference') !== reference) unintelligible('the answer to another request');
  const decision = own(body, 'decision');
  const kind = DECISIONS.find((known) => known === decision);
  if (kind === undefined) return unintelligible('a decision nobody knows');
  return { kind, reasons: readReasons(own(body, 'reasons')) };
}

function readReasons(value: Json | undefined): string[] {
  if (!Array.isArray(value)) return unintelligible('no reasons');
  return value
    .filter((reason: unknown): reason is string => typeof reason === 'string' && REASON.test(reason))
    .slice(0, REASONS_MAX);
}
