// The interface between a key service's wire and the HTTP server around it. A wire knows its format, its callers and its
// keys; the server knows sockets, rules and the log.
import type { Behaviours } from '../behaviours.ts';
import type { Reply } from '../wire.ts';
import type { Seen } from './control.ts';

export type KeyCall = {
  readonly method: string;
  /** As it came, still encoded. */
  readonly path: string;
  /** Without the question mark; `""` when there is none. */
  readonly query: string;
  /** In the order of the request; a name may occur more than once. */
  readonly headerList: readonly (readonly [name: string, value: string])[];
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
};

export interface KeyWire {
  see(call: KeyCall): Seen;
  answer(call: KeyCall, behaviours: Behaviours): Reply;
  /** The wire's own endpoints for tests, below /control; undefined when the path is not one of them. */
  answerForTests(call: KeyCall): Reply | undefined;
}

export const json = (status: number, value: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: status === 204 ? '' : JSON.stringify(value),
});

/** A bare page of a proxy in front of the service. */
export const barePage = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><body><h1>${status}</h1></body></html>\n`,
});

/** The status of `error=STATUS`; undefined when the behaviour has another argument or none. */
export function statusOf(behaviours: Behaviours): number | undefined {
  const [status] = /^[45]\d\d$/.exec(behaviours.get('error') ?? '') ?? [];
  return status === undefined ? undefined : Number(status);
}
