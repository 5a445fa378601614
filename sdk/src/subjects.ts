// The calls about a consumer's rights: what is held of a person, and its erasure. A credential with `subjects:write` can find and
// export; an erasure needs the token of a person who has just passed a second factor.
import type { Http } from './http.ts';
import type { components } from './openapi-types.ts';
import type { CallOptions } from './send.ts';

type Schemas = components['schemas'];
/** Who asks for their rights: names in any spelling, and the postcode of any of their addresses. */
export type Subject = Schemas['SubjectRequest'];
export type HeldReport = Schemas['HeldReport'];

const SUBJECTS = '/{tenantId}/v1/subjects';

export function createSubjectCalls(http: Http) {
  return {
    /** The person's reports, newest first, without their contents. */
    findSubject: (subject: Subject, call?: CallOptions) => http.ask(`${SUBJECTS}/find`, { body: subject }, call),
    /** Everything that is held, a page at a time: send `nextCursor` as `cursor` until it is null. */
    exportSubject: (subject: Schemas['ExportSubjectRequest'], call?: CallOptions) =>
      http.ask(`${SUBJECTS}/export`, { body: subject }, call),
    /** The same as a PDF for the person to read. */
    exportSubjectDocument: async (subject: Subject, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>> =>
      (await http.rawAsk(`${SUBJECTS}/export-document`, { body: subject, accept: '*/*' }, call)).bytes,
    /** For good. Keep the receipt; send the call again until `remaining` is 0. */
    eraseSubject: (subject: Subject, call?: CallOptions) => http.post(`${SUBJECTS}/erase`, { body: subject }, call),
  };
}
