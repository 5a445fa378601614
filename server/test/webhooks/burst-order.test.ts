// A burst of reports to an endpoint that says nothing about order: the events of each report arrive in the order of its feed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startChallenge, type TestServer } from '../harness.ts';
import { grave } from '../support/grave.ts';
import type { Received } from '../support/receiver.ts';
import { startWebhookServer, useReceivers } from '../support/webhooks.ts';

const REPORTS = 220;
const AT_ONCE = 20;

let server: TestServer;
const openReceiver = useReceivers();
beforeAll(async () => {
  server = await startWebhookServer();
});
afterAll(() => server.close());

const idsByReport = (events: readonly { id: string; data: { readonly creditReportId?: unknown } }[]) =>
  new Map(
    [...Map.groupBy(events, ({ data }) => String(data.creditReportId))].map(([report, own]) => [
      report,
      own.map(({ id }) => id),
    ]),
  );

test(`${REPORTS} reports in a burst: none out of order`, async () => {
  const receiver = await openReceiver();
  const { data: endpoint } = await server.trefoil.createWebhookEndpoint({ url: receiver.url, test: true });
  expect(endpoint.ordered).toBe(true);
  let left = REPORTS;
  const generate = async () => {
    while (left-- > 0) {
      const { creditReportId, challengeId } = await startChallenge(server.trefoil);
      await server.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, generate));
  // The end of the feed waits for every transaction of the cluster, also of other tests' databases.
  const feed = await eventually(
    async () => {
      const events = [];
      for await (const event of server.trefoil.listEvents()) events.push(event);
      expect(events.filter(({ type }) => type === 'credit-report.completed').length).toBe(REPORTS);
      return events;
    },
    { everyMs: 500 },
  );
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(feed.length), { limitMs: 60_000 });
  const told = idsByReport(feed);
  const arrived = idsByReport(receiver.received.map(({ event }: Received) => event));
  await grave('events', () => expect(new Set([...arrived.values()].flat()).size).toBe(feed.length));
  expect([...told].filter(([report, ids]) => arrived.get(report)?.join() !== ids.join())).toEqual([]);
}, 120_000);
