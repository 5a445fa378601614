// The calls for test mode: a report's own clock, the inbox of messages that were never sent, and all test values.
import type { Http, KeyedCallOptions, QueryOf } from './http.ts';
import { createPage } from './page.ts';
import type { CallOptions } from './send.ts';

const INBOX = '/{tenantId}/v1/test/inbox';

export type TestInboxQuery = QueryOf<typeof INBOX>;

export function createTestModeCalls(http: Http) {
  return {
    /** Moves the clock of a test report forward: 301 seconds end an open challenge. */
    advanceTestClock: (creditReportId: string, advanceSeconds: number, call?: KeyedCallOptions) =>
      http.keyed(
        '/{tenantId}/v1/credit-reports/{creditReportId}/test-clock',
        { path: { creditReportId }, body: { advanceSeconds } },
        call,
      ),
    /** The messages of test challenges, newest challenge first. */
    listTestInbox: (query: TestInboxQuery = {}, call?: CallOptions) =>
      createPage(query, (page) => http.get(INBOX, { query: page }, call)),
    getTestCatalogue: (call?: CallOptions) => http.get('/v1/test/catalogue', {}, call),
  };
}
