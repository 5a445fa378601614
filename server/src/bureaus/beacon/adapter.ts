// Beacon: one call, flat JSON, an API key, and errors inside HTTP 200.
import { toAsked } from '../asked.ts';
import { toUnavailable } from '../bureau-fault.ts';
import type { BureauLine } from '../call-bureau.ts';
import type { BureauAdapter } from '../port.ts';
import { readReply } from './reply.ts';
import { type BeaconCredentials, writeEnquiry } from './request.ts';

export function createBeacon(line: BureauLine, credentials: BeaconCredentials): BureauAdapter {
  return {
    async ask(enquiry, signal) {
      try {
        return readReply(await line.call(writeEnquiry(credentials, enquiry), signal), toAsked(enquiry));
      } catch (error) {
        return toUnavailable(error, signal);
      }
    },
  };
}
