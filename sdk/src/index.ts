// THE CLIENT LIBRARY: a thin typed client over openapi.json. It gets and renews its token by itself, returns bodies
// and throws TrefoilError for every refusal. A blocked or failed outcome is not an error: it is in `data.status`.
import createClient from 'openapi-fetch';
import { createCredentialCalls } from './credentials.ts';
import { TrefoilError } from './error.ts';
import { createMemberCalls } from './members.ts';
import type { components, paths } from './openapi-types.ts';
import { createTokenSource } from './token.ts';

export type { AuditQuery } from './credentials.ts';
export { type ErrorDetail, TrefoilError } from './error.ts';
export type { PageQuery, Role } from './members.ts';
export type { components, paths } from './openapi-types.ts';

type Schemas = components['schemas'];
export type GenerateRequest = Schemas['GenerateRequest'];
export type GenerateResponse = Schemas['GenerateResponse'];
export type SubmitOtpResponse = Schemas['SubmitOtpResponse'];
export type ResendSmsResponse = Schemas['ResendSmsResponse'];
export type CreditReport = Schemas['CreditReport'];
export type CreditReportResponse = Schemas['CreditReportResponse'];
export type CreditReportListResponse = Schemas['CreditReportListResponse'];
export type WalletResponse = Schemas['WalletResponse'];
export type WalletEntriesResponse = Schemas['WalletEntriesResponse'];
export type PricesResponse = Schemas['PricesResponse'];
type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never;
export type CreditReportsQuery = QueryOf<'/{tenantId}/v1/credit-reports'>;
export type WalletEntriesQuery = QueryOf<'/{tenantId}/v1/wallet/entries'>;

/** A statement as CSV. With a cursor it is not whole: ask again with it for the rest, after at most 100,000 lines. */
export type WalletEntriesCsv = { readonly csv: string; readonly nextCursor: string | null };

type Credential = { readonly clientId: string; readonly clientSecret: string };
/** For people: whatever keeps their access token, such as an OAuth library. */
type OwnToken = { readonly getToken: () => Promise<string> };

export type TrefoilOptions = { readonly baseUrl: string; readonly tenantId: string } & (Credential | OwnToken);

export type CallOptions = {
  /** Makes a retry safe: the same key with the same request gives the first answer again. */
  readonly idempotencyKey?: string;
};

type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

export type Trefoil = ReturnType<typeof createTrefoil>;

export function createTrefoil(options: TrefoilOptions) {
  const baseUrl = options.baseUrl.replace(/\/$/, '');
  const getToken = 'getToken' in options ? options.getToken : createTokenSource({ ...options, baseUrl });
  const http = createClient<paths>({ baseUrl });
  http.use({
    async onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${await getToken()}`);
      return request;
    },
  });

  /** Resolves to the body of a 200; throws for everything else. */
  async function bodyOf<T>(call: Call<T>): Promise<T> {
    const { data, error, response } = await call;
    if (data === undefined) throw new TrefoilError(response, (error ?? {}) as object);
    return data;
  }

  const { tenantId } = options;
  const header = ({ idempotencyKey }: CallOptions) => (idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {});
  const inTenant = (call: CallOptions) => ({ path: { tenantId }, header: header(call) });
  const inReport = (creditReportId: string, call: CallOptions) => ({
    path: { tenantId, creditReportId },
    header: header(call),
  });

  async function exportWalletEntries(query: WalletEntriesQuery = {}): Promise<WalletEntriesCsv> {
    const { data, error, response } = await http.GET('/{tenantId}/v1/wallet/entries', {
      params: { path: { tenantId }, query },
      headers: { accept: 'text/csv' },
      parseAs: 'text',
    });
    if (data === undefined) throw new TrefoilError(response, (error ?? {}) as object);
    const next = /<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    return { csv: data, nextCursor: next ? new URL(next, baseUrl).searchParams.get('cursor') : null };
  }

  return {
    getToken,
    generate: (body: GenerateRequest, call: CallOptions = {}) =>
      bodyOf(http.POST('/{tenantId}/v1/credit-reports', { params: inTenant(call), body })),
    submitOtp: (creditReportId: string, body: Schemas['SubmitOtpRequest'], call: CallOptions = {}) =>
      bodyOf(
        http.POST('/{tenantId}/v1/credit-reports/{creditReportId}/otp-challenge', {
          params: inReport(creditReportId, call),
          body,
        }),
      ),
    resendSms: (creditReportId: string, body: Schemas['ResendSmsRequest'], call: CallOptions = {}) =>
      bodyOf(
        http.POST('/{tenantId}/v1/credit-reports/{creditReportId}/resend-sms', {
          params: inReport(creditReportId, call),
          body,
        }),
      ),
    listReports: (query: CreditReportsQuery = {}) =>
      bodyOf(http.GET('/{tenantId}/v1/credit-reports', { params: { path: { tenantId }, query } })),
    getReport: (creditReportId: string) =>
      bodyOf(
        http.GET('/{tenantId}/v1/credit-reports/{creditReportId}', { params: { path: { tenantId, creditReportId } } }),
      ),
    getWallet: () => bodyOf(http.GET('/{tenantId}/v1/wallet', { params: { path: { tenantId } } })),
    listWalletEntries: (query: WalletEntriesQuery = {}) =>
      // Without an Accept of its own the answer is JSON; the document alone cannot tell.
      bodyOf(
        http.GET('/{tenantId}/v1/wallet/entries', {
          params: { path: { tenantId }, query },
        }) as Call<WalletEntriesResponse>,
      ),
    /** The lines of the filter as one CSV text, 100,000 of the journal at most. */
    exportWalletEntries,
    getPrices: () => bodyOf(http.GET('/{tenantId}/v1/prices', { params: { path: { tenantId } } })),
    getProfile: () => bodyOf(http.GET('/v1/my/profile')),
    listTenants: () => bodyOf(http.GET('/v1/my/tenants')),
    ...createMemberCalls(http, tenantId, bodyOf),
    ...createCredentialCalls(http, tenantId, bodyOf),
    selectTenant: (id: string) => bodyOf(http.POST('/v1/my/tenants/select', { body: { tenantId: id } })),
  };
}
