// A call gives its body, and on request also the status and the headers that came with it.
import type { Answer } from './error.ts';

/** The body of an answer, and what came with it. */
export type Answered<Body> = {
  /** What awaiting the call gives. */
  readonly body: Body;
  readonly status: number;
  /** Such as `RateLimit` and `Idempotent-Replayed`. */
  readonly headers: Headers;
  /** Quote it when you ask the operator of the service about this call. */
  readonly requestId: string | undefined;
};

/** `await` gives the body of the answer. */
export type Call<Body> = Promise<Body> & {
  /** The body with the status, the headers and the request id of the answer. */
  withResponse(): Promise<Answered<Body>>;
};

export const toAnswered = <Body>({ status, headers }: Answer, body: Body): Answered<Body> => ({
  ...{ body, status, headers },
  requestId: headers.get('x-request-id') ?? undefined,
});

export function toCall<Body>(answered: Promise<Answered<Body>>): Call<Body> {
  const body = answered.then((each) => each.body);
  return Object.assign(body, {
    async withResponse() {
      // The caller awaits this promise instead: a refusal of the other would count as unhandled.
      body.catch(() => undefined);
      return answered;
    },
  });
}
