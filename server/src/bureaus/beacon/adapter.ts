// Beacon: one call, flat JSON, an API key, and errors inside HTTP 200.
import { toAsked } from '../asked.ts';
import { toUnavailable } from '../bureau-fault.ts';
import type { BureauLine } from '../call-bureau.ts';
import type { BureauAdapter } from '../port.ts';
import type { ReadReply } from '../read-reply.ts';
import { type BeaconCredentials, writeEnquiry } from './request.ts';

export function createBeacon(line: BureauLine, credentials: BeaconCredentials, read: ReadReply): BureauAdapter {
  return {
    async ask(enquiry, signal) {
      try {
        const reply = await line.call(writeEnquiry(credentials, enquiry), signal);
        return await read('beacon', { reply, asked: toAsked(enquiry) }, signal);
      } catch (error) {
        return toUnavailable(error, signal);
      }
    },
  };
}
