// The interface between a bureau's wire and the process around it. A wire knows its format; the process knows HTTP,
// the log and how to misbehave on a socket.
import type { Behaviours } from './behaviours.ts';
import type { EnquiryHandler } from './enquiry-handler.ts';
import type { BureauName } from './people/lenders.ts';

export type HttpCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A reply and what the sender should do to it. */
export type Answer = { readonly reply: Reply; readonly behaviours: Behaviours };

export interface Wire {
  readonly bureau: BureauName;
  readonly format: 'xml' | 'json';
  /** Undefined when the path is not one of the wire's. */
  answer(call: HttpCall, handler: EnquiryHandler): Answer | undefined;
  /** No such path (404) or method (405). */
  notHere(status: 404 | 405): Reply;
}

export const plain = (status: number, text: string): Reply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${text}\n`,
});
