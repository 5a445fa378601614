// The calls that make, read and list credit reports, and the files about one.
import type { Call } from './call.ts';
import { bytesOf, type Http, type KeyedCallOptions, type QueryOf } from './http.ts';
import type {
  CollectionRequest,
  CollectionResponse,
  CreditReportCountsResponse,
  CreditReportListResponse,
  CreditReportResponse,
  EvidenceResponse,
  GenerateRequest,
  GenerateResponse,
  QuoteResponse,
  ResendSmsRequest,
  ResendSmsResponse,
  SubmitOtpRequest,
  SubmitOtpResponse,
  TimelineResponse,
} from './openapi-names.ts';
import { createPage, type Page } from './page.ts';
import type { CallOptions } from './send.ts';

const REPORTS = '/{tenantId}/v1/credit-reports';
const REPORT = `${REPORTS}/{creditReportId}` as const;

/** The filters of `listReports`. */
export type CreditReportsQuery = QueryOf<typeof REPORTS>;
/** The filters of `countReports`. */
export type CreditReportCountsQuery = QueryOf<'/{tenantId}/v1/credit-reports/counts'>;

export function createReportCalls(http: Http) {
  return {
    /** `match` and `outcomeOf` make the compiler check that you handle each `data.status`. */
    generate: (body: GenerateRequest, call?: KeyedCallOptions): Call<GenerateResponse> =>
      http.keyed(REPORTS, { body }, call),
    quote: (body: GenerateRequest, call?: CallOptions): Call<QuoteResponse> =>
      http.ask(`${REPORTS}/quote`, { body }, call),
    /** For a page on the service's own origin, signed in with cookies. */
    collectFingerprint: (body: CollectionRequest, call?: CallOptions): Call<CollectionResponse> =>
      http.ask('/v1/fingerprints/collections', { body }, call),
    submitOtp: (creditReportId: string, body: SubmitOtpRequest, call?: KeyedCallOptions): Call<SubmitOtpResponse> =>
      http.keyed(`${REPORT}/otp-challenge`, { path: { creditReportId }, body }, call),
    resendSms: (creditReportId: string, body: ResendSmsRequest, call?: KeyedCallOptions): Call<ResendSmsResponse> =>
      http.keyed(`${REPORT}/resend-sms`, { path: { creditReportId }, body }, call),
    listReports: (query: CreditReportsQuery = {}, call?: CallOptions): Page<CreditReportListResponse> =>
      createPage(query, (page) => http.get(REPORTS, { query: page }, call)),
    countReports: (query: CreditReportCountsQuery = {}, call?: CallOptions): Call<CreditReportCountsResponse> =>
      http.get(`${REPORTS}/counts`, { query }, call),
    getReport: (creditReportId: string, call?: CallOptions): Call<CreditReportResponse> =>
      http.get(REPORT, { path: { creditReportId } }, call),
    getTimeline: (creditReportId: string, call?: CallOptions): Call<TimelineResponse> =>
      http.get(`${REPORT}/timeline`, { path: { creditReportId } }, call),
    getEvidence: (creditReportId: string, call?: CallOptions): Call<EvidenceResponse> =>
      http.get(`${REPORT}/evidence`, { path: { creditReportId } }, call),
    getDocument: (
      creditReportId: string,
      format: 'html' | 'pdf',
      call?: CallOptions,
    ): Call<Uint8Array<ArrayBuffer>> => {
      const input = { path: { creditReportId }, query: { format }, accept: '*/*' };
      return http.raw(`${REPORT}/document`, input, bytesOf, call);
    },
  };
}
