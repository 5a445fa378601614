// Which test files `npm run prove` runs and `.ci/run` does not, by name: no measurement at run time decides it. vitest.config.ts
// makes projects of these lists. Decision: docs/decisions/0264-the-gate-and-the-proofs.md.

/** All test files, by the project that runs those of the gate: what the lists below name runs elsewhere. */
export const PROJECTS = {
  beside: [
    '{contract,sdk,conformance,simulators,bench,tools,fingerprint,console}/**/*.test.ts',
    'server/src/**/*.test.ts',
  ],
  journeys: ['server/test/**/*.test.ts'],
};

/** Tests with a bar on time, or that a busy machine disturbs. They run one file at a time. */
export const MEASURED: readonly string[] = [
  'server/test/attacks/{hanging-bureaus,large-replies,worst-bodies}.test.ts',
  'server/test/browser/fingerprint.test.ts',
  'server/test/events/long-poll-times.test.ts',
  'server/test/platform/busy-accept.test.ts',
  'server/test/reports/{retention-scale,sandbox/many-delays}.test.ts',
  'server/src/bureaus/{file-limits,guard-bureau}.test.ts',
  'server/src/lib/limits/places.test.ts',
  'tools/console/slow-network.test.ts',
];

/** These are in the gate, however long they take: what they find is about money, codes, tenants, sign-in or lost events. */
export const ALWAYS: readonly string[] = [
  'server/test/events/feed.test.ts',
  'server/test/identity/{credentials,sign-in-cookies}.test.ts',
  'server/test/money/{challenge-races,ledger-guard,live-races,reconcile}.test.ts',
  'server/test/platform/{route-matrix,role-matrix,walls}.test.ts',
  'server/test/reports/{sealed-reports,state-table/*}.test.ts',
  'server/test/tenants/invitations.test.ts',
];

/** Where credits move. Run once more with statements that go one by one (docs/decisions/0195-grouping-can-be-turned-off.md). */
export const MONEY: readonly string[] = [
  'live',
  'live-races',
  'challenge-races',
  'state-table',
  'receipts',
  'test-wallet',
  'test-wallet-races',
  'test-wallet-reads',
];

/** Tests that take long: many repetitions, kills, browsers over many pages, commands and servers as processes of their own. */
export const LONG: readonly string[] = [
  'server/src/bureaus/mutation.test.ts',
  'server/src/documents/painter.test.ts',
  'server/test/attacks/reference-origin.test.ts',
  'server/test/browser/{comforts,fingerprint-journey,fingerprint-strange-pages,fingerprint-trouble,links}.test.ts',
  'server/test/browser/{consumer-report,consumer-words,dev,document,verification}.test.ts',
  // One of the console's journeys stays in the gate: shell.
  'server/test/console/{admin,analyst,caseworker,developer,finance,frame,owner,roles,settings}.test.ts',
  'server/test/doctor/{odd-database,outside}.test.ts',
  'server/test/evidence/openssl.test.ts',
  'server/test/keys/{key-services,rotate,working-keys}.test.ts',
  'server/test/platform/{cli,dev-signals,fuzz,mail,operator-commands,operator-start,traces}.test.ts',
  'server/test/reports/{hash-rotation,merge-simulated}.test.ts',
  'server/test/usage/random-day.test.ts',
  'server/test/webhooks/{amplifier,bad-receivers,burst-order,claim-cost,delivery-scale,endpoint-races,killed-workers,slow-receivers}.test.ts',
  'tools/audit.test.ts',
  'tools/console/{deliveries,home,new-report,webhooks}-states.test.ts',
  'tools/console/{late-code,states}.test.ts',
  'tools/documents/paint.test.ts',
];
