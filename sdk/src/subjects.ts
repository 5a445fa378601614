// The calls about a consumer's rights: what is held of a person, and its erasure. A credential with `subjects:write` can find and
// export; an erasure needs the token of a person who has just passed a second factor.
import type { Call } from './call.ts';
import { bytesOf, type Http } from './http.ts';
import type {
  ErasedSubjectResponse,
  ExportedSubjectResponse,
  ExportSubjectRequest,
  FoundSubjectResponse,
  SubjectRequest,
} from './openapi-names.ts';
import type { CallOptions } from './send.ts';

/** Who asks for their rights: names in any spelling, and the postcode of any of their addresses. */
export type Subject = SubjectRequest;

const SUBJECTS = '/{tenantId}/v1/subjects';

export function createSubjectCalls(http: Http) {
  return {
    findSubject: (subject: Subject, call?: CallOptions): Call<FoundSubjectResponse> =>
      http.ask(`${SUBJECTS}/find`, { body: subject }, call),
    exportSubject: (subject: ExportSubjectRequest, call?: CallOptions): Call<ExportedSubjectResponse> =>
      http.ask(`${SUBJECTS}/export`, { body: subject }, call),
    exportSubjectDocument: (subject: ExportSubjectRequest, call?: CallOptions): Call<Uint8Array<ArrayBuffer>> =>
      http.rawAsk(`${SUBJECTS}/export-document`, { body: subject, accept: '*/*' }, bytesOf, call),
    eraseSubject: (subject: Subject, call?: CallOptions): Call<ErasedSubjectResponse> =>
      http.post(`${SUBJECTS}/erase`, { body: subject }, call),
  };
}
