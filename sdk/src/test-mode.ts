// The calls for test mode: a report's own clock, the inbox of messages that were never sent, the test wallet, and all test values.
import type { Call } from './call.ts';
import type { Http, KeyedCallOptions, QueryOf } from './http.ts';
import type {
  TestCatalogue,
  TestClockResponse,
  TestInboxResponse,
  TestWalletResponse,
  WalletResponse,
} from './openapi-names.ts';
import { createPage, type Page } from './page.ts';
import type { CallOptions } from './send.ts';

const INBOX = '/{tenantId}/v1/test/inbox';

/** The filters of `listTestInbox`. */
export type TestInboxQuery = QueryOf<typeof INBOX>;

export function createTestModeCalls(http: Http) {
  return {
    /** 301 seconds end an open challenge. */
    advanceTestClock: (
      creditReportId: string,
      advanceSeconds: number,
      call?: KeyedCallOptions,
    ): Call<TestClockResponse> =>
      http.keyed(
        '/{tenantId}/v1/credit-reports/{creditReportId}/test-clock',
        { path: { creditReportId }, body: { advanceSeconds } },
        call,
      ),
    listTestInbox: (query: TestInboxQuery = {}, call?: CallOptions): Page<TestInboxResponse> =>
      createPage(query, (page) => http.get(INBOX, { query: page }, call)),
    /** The wallet that test reports with `testOptions.charges` are charged to. `listWalletEntries({ test: true })` has its lines. */
    getTestWallet: (call?: CallOptions): Call<WalletResponse> =>
      http.get('/{tenantId}/v1/wallet', { query: { test: true } }, call),
    /** All its credits again, or as few as you say. */
    resetTestWallet: (credits?: number, call?: KeyedCallOptions): Call<TestWalletResponse> =>
      http.keyed('/{tenantId}/v1/test/wallet/reset', { body: credits === undefined ? {} : { credits } }, call),
    getTestCatalogue: (call?: CallOptions): Call<TestCatalogue> => http.get('/v1/test/catalogue', {}, call),
  };
}
