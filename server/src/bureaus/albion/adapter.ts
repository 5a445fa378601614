// Albion: XML in an envelope, a digest as password, faults in HTTP 500, and sometimes a pick list before the file.
import { toAsked } from '../asked.ts';
import { BureauFault, toUnavailable, unavailable } from '../bureau-fault.ts';
import type { BureauLine } from '../call-bureau.ts';
import type { BureauAdapter } from '../port.ts';
import type { ReadReply } from '../read-reply.ts';
import { choosePick } from './pick.ts';
import { type AlbionCredentials, writeEnquiry, writePick } from './request.ts';

export function createAlbion(line: BureauLine, credentials: AlbionCredentials, read: ReadReply): BureauAdapter {
  return {
    async ask(enquiry, signal) {
      try {
        const asked = toAsked(enquiry);
        const reply = await line.call(writeEnquiry(credentials, enquiry), signal);
        const first = await read('albion', { reply, asked }, signal);
        if (first.kind !== 'pick-list') return first;
        const pick = choosePick(first.picks, enquiry.consumer.addresses);
        // The bureau knows a person with this name and birth date, but at none of the given addresses.
        if (!pick) return { kind: 'no-trace', replySha256: first.replySha256, answeredAt: first.answeredAt };
        const picked = await line.call(writePick(credentials, enquiry, pick.premKey), signal);
        const second = await read('albion', { reply: picked, asked }, signal);
        if (second.kind !== 'pick-list') return second;
        return unavailable(new BureauFault('unintelligible', 'a pick list for a pick'));
      } catch (error) {
        return toUnavailable(error, signal);
      }
    },
  };
}
