// Albion: XML in an envelope, a digest for a password, faults in HTTP 500, and sometimes a pick list before the file.
import { toAsked } from '../asked.ts';
import { BureauFault, toUnavailable, unavailable } from '../bureau-fault.ts';
import type { BureauLine } from '../call-bureau.ts';
import type { BureauAdapter } from '../port.ts';
import { choosePick } from './pick.ts';
import { readReply } from './reply.ts';
import { type AlbionCredentials, writeEnquiry, writePick } from './request.ts';

export function createAlbion(line: BureauLine, credentials: AlbionCredentials): BureauAdapter {
  return {
    async ask(enquiry, signal) {
      try {
        const asked = toAsked(enquiry);
        const first = readReply(await line.call(writeEnquiry(credentials, enquiry), signal), asked);
        if (first.kind !== 'pick-list') return first;
        const pick = choosePick(first.picks, enquiry.consumer.addresses);
        // The bureau knows somebody of that name and birth date, but at none of the addresses we were given.
        if (!pick) return { kind: 'no-trace' };
        const second = readReply(await line.call(writePick(credentials, enquiry, pick.premKey), signal), asked);
        if (second.kind !== 'pick-list') return second;
        return unavailable(new BureauFault('unintelligible', 'a pick list for a pick'));
      } catch (error) {
        return toUnavailable(error, signal);
      }
    },
  };
}
