// Cygnet: a bearer token, nested JSON, problem documents, and sometimes a request to poll later.
import { setTimeout as sleep } from 'node:timers/promises';
import { toAsked } from '../asked.ts';
import { BureauFault, toUnavailable, unavailable } from '../bureau-fault.ts';
import type { BureauCall, BureauLine } from '../call-bureau.ts';
import type { BureauAdapter, Enquiry } from '../port.ts';
import type { ReadReply } from '../read-reply.ts';
import { type CygnetCredentials, writeEnquiry, writePoll } from './request.ts';
import { createTokens } from './token.ts';

const POLL_SECONDS = 1;
const POLL_SECONDS_MIN = 0.25;
const POLL_SECONDS_MAX = 5;

export function createCygnet(line: BureauLine, credentials: CygnetCredentials, read: ReadReply): BureauAdapter {
  const tokens = createTokens(line, credentials);

  async function exchange(enquiry: Enquiry, signal: AbortSignal, write: (token: string) => BureauCall) {
    const token = await tokens.get(signal);
    const reply = await line.call(write(token), signal);
    const result = await read('cygnet', { reply, asked: toAsked(enquiry) }, signal);
    if (result.kind === 'unauthenticated') tokens.drop(token);
    return { result, retryAfterSeconds: reply.retryAfterSeconds };
  }

  /** Uses a fresh token when ours was refused: the bureau guarantees that it then made no enquiry, so none is repeated. */
  async function send(enquiry: Enquiry, signal: AbortSignal, write: (token: string) => BureauCall) {
    const first = await exchange(enquiry, signal, write);
    const { result, retryAfterSeconds } =
      first.result.kind === 'unauthenticated' ? await exchange(enquiry, signal, write) : first;
    if (result.kind === 'unauthenticated') throw new BureauFault('refused', 'problem unauthenticated');
    return { result, retryAfterSeconds };
  }

  return {
    async ask(enquiry, signal) {
      try {
        let { result, retryAfterSeconds } = await send(enquiry, signal, (token) => writeEnquiry(token, enquiry));
        const cygnetId = result.kind === 'pending' ? result.id : undefined;
        // Ends at the deadline at the latest: the signal ends the waiting as well as the call.
        while (result.kind === 'pending') {
          if (result.id !== cygnetId) return unavailable(new BureauFault('unintelligible', 'the poll of another id'));
          await sleep(pollDelayMs(retryAfterSeconds), undefined, { signal });
          ({ result, retryAfterSeconds } = await send(enquiry, signal, (token) => writePoll(token, cygnetId ?? '')));
        }
        return result;
      } catch (error) {
        return toUnavailable(error, signal);
      }
    },
  };
}

/** The delay the bureau asks for, within reason: no delay at all would be a busy loop. */
function pollDelayMs(wishSeconds: number = POLL_SECONDS): number {
  return Math.min(Math.max(wishSeconds, POLL_SECONDS_MIN), POLL_SECONDS_MAX) * 1_000;
}
