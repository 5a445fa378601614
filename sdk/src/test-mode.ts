// The calls for test mode: a report's own clock, the inbox of messages that were never sent, and all test values.
import type { Client } from 'openapi-fetch';
import type { paths } from './openapi-types.ts';

type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;
type BodyOf = <T>(call: Call<T>) => Promise<T>;
type Keyed<Options> = <T>(call: Options, send: (header: { 'Idempotency-Key': string }) => Call<T>) => Promise<T>;

export type TestInboxQuery = {
  readonly limit?: number;
  readonly cursor?: string;
  readonly creditReportId?: string;
};

export function createTestModeCalls<Options extends object>(
  http: Client<paths>,
  tenantId: string,
  { bodyOf, keyed }: { readonly bodyOf: BodyOf; readonly keyed: Keyed<Options> },
) {
  return {
    /** Moves the clock of a test report forward: 301 seconds end an open challenge. */
    advanceTestClock: (creditReportId: string, advanceSeconds: number, call: Options = {} as Options) =>
      keyed(call, (header) =>
        http.POST('/{tenantId}/v1/credit-reports/{creditReportId}/test-clock', {
          params: { path: { tenantId, creditReportId }, header },
          body: { advanceSeconds },
        }),
      ),
    listTestInbox: (query: TestInboxQuery = {}) =>
      bodyOf(http.GET('/{tenantId}/v1/test/inbox', { params: { path: { tenantId }, query } })),
    getTestCatalogue: () => bodyOf(http.GET('/v1/test/catalogue')),
  };
}
