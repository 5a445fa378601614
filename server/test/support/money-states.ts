// Live reports and their money as rows, without asking anybody: states for tests that read. Money moves through the
// wallet's own ledger, so what it writes is what the service writes.
import type { BureauResult, CreditReport } from '@trefoil/contract';
import type { ReportStatus } from '../../src/credit-reports/rules/report-status.ts';
import { insertChallenges, insertReports } from '../../src/credit-reports/store.ts';
import { createKeyedHash } from '../../src/lib/crypto/keyed-hash.ts';
import { createVault } from '../../src/lib/crypto/vault.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTenant } from '../../src/tenants/change-tenant.ts';
import { createWallet } from '../../src/wallet/create-wallet.ts';
import { type LedgerOrder, type LedgerSession, openLedger } from '../../src/wallet/open-ledger.ts';
import { topUp } from '../../src/wallet/top-up.ts';
import type { TestServer } from '../harness.ts';
import { P, PRICE } from './words.ts';

/** No sweep may meet these holds while a test runs. */
const HOUR_MS = 3_600_000;

export const REPORT: CreditReport = {
  person: { title: null, firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09' },
  residencies: [],
  consumerData: { records: [] },
  previousSearches: { providers: [] },
};

export const results = (...outcomes: BureauResult['outcome'][]): BureauResult[] =>
  outcomes.map((outcome, index) => ({
    bureau: (['equifax', 'experian', 'transunion'] as const)[index] ?? 'equifax',
    outcome,
  }));

/** A tenant with a wallet, outside the two of the server. */
export async function addTenant(server: TestServer, name = 'Books'): Promise<string> {
  return server.database.asSystem(async (tx) => {
    const tenantId = await createTenant(tx, name);
    await createWallet(tx, tenantId);
    return tenantId;
  });
}

export const addCredits = (server: TestServer, tenantId: string, credits: number, note = 'invoice 1') =>
  server.database.forTenants([tenantId], (tx) => topUp(tx, tenantId, { credits, sourceId: newId(), note }));

/** Opens the wallet's ledger, lets `work` use it and writes it. */
export async function withBook(
  server: TestServer,
  tenantId: string,
  order: Omit<LedgerOrder, 'tenantIds'>,
  work: (ledger: LedgerSession) => void,
): Promise<void> {
  await server.database.forTenants([tenantId], async (tx) => {
    const ledger = await openLedger(tx, { tenantIds: [tenantId], ...order });
    work(ledger);
    await ledger.write();
  });
}

export type ReportState = {
  readonly status: ReportStatus;
  readonly reference?: string;
  readonly failure?: string;
  readonly bureauResults?: readonly BureauResult[];
  /** With a challenge, whose messages `addSend` adds. */
  readonly challengeId?: string;
};

/** A live report as it lies in the database, without any money. */
export async function addLiveReport(server: TestServer, tenantId: string, state: ReportState): Promise<string> {
  const { status, reference, challengeId } = state;
  const id = newId();
  const { dataKey, wrapped } = createVault(server.config.vaultKeys).createDataKey({ tenantId, subjectId: id });
  const hashReference = createKeyedHash(server.config.hashKeys[0].key, 'external-reference');
  await server.database.forTenants([tenantId], async (tx) => {
    await insertReports(tx, [
      {
        tenantId,
        id,
        isTest: false,
        callerId: newId(),
        source: 'api',
        status,
        externalReferenceHash: reference === undefined ? null : hashReference(tenantId, reference),
        sealedRequest: dataKey.seal('request', JSON.stringify({ externalReference: reference })),
        sealedReport: status === 'complete' ? dataKey.seal('report', JSON.stringify(REPORT)) : null,
        sealedProvenance: null,
        wrapped,
        firstSendId: null,
      },
    ]);
    if (challengeId !== undefined) {
      await insertChallenges(tx, [{ tenantId, creditReportId: id, id: challengeId, isTest: false, dueInMs: HOUR_MS }]);
    }
  });
  const isOpen = status === 'challenged' || status === 'fetching';
  if (!isOpen) await server.query('update challenges set due_at = null where credit_report_id = $1', [id]);
  await server.query('update credit_reports set failure = $2, bureau_results = $3 where id = $1', [
    id,
    state.failure ?? null,
    state.bureauResults ? JSON.stringify(state.bureauResults) : null,
  ]);
  return id;
}

export async function addSend(
  server: TestServer,
  tenantId: string,
  send: { readonly creditReportId: string; readonly challengeId: string; readonly state: string },
): Promise<string> {
  const id = newId();
  await server.query(
    'insert into sms_sends (tenant_id, id, credit_report_id, challenge_id, state) values ($1, $2, $3, $4, $5)',
    [tenantId, id, send.creditReportId, send.challengeId, send.state],
  );
  return id;
}

export const holdFor = (server: TestServer, tenantId: string, kind: 'report' | 'sms', sourceId: string) =>
  withBook(server, tenantId, {}, (ledger) =>
    ledger.hold({
      tenantId,
      kind,
      sourceId,
      amount: kind === 'report' ? P : PRICE.sms,
      perBureau: kind === 'report' ? PRICE.bureau : null,
      lifetimeMs: HOUR_MS,
    }),
  );

export function capture(
  server: TestServer,
  key: { readonly tenantId: string; readonly kind: 'report' | 'sms'; readonly sourceId: string },
  amount: number,
  creditReportId: string,
): Promise<void> {
  return withBook(server, key.tenantId, { holds: [key] }, (ledger) => {
    ledger.capture(key, amount, creditReportId);
  });
}

export function release(server: TestServer, tenantId: string, kind: 'report' | 'sms', sourceId: string): Promise<void> {
  const key = { tenantId, kind, sourceId };
  return withBook(server, tenantId, { holds: [key] }, (ledger) => {
    ledger.void(key);
  });
}

export function refund(server: TestServer, tenantId: string, creditReportId: string, amount: number): Promise<void> {
  const line = { tenantId, kind: 'report-charge', sourceId: creditReportId } as const;
  return withBook(server, tenantId, { lines: [line] }, (ledger) => {
    const reversesSeq = ledger.findLine(line)?.seq ?? 0;
    ledger.post({ tenantId, kind: 'report-refund', sourceId: creditReportId, amount, creditReportId, reversesSeq });
  });
}

/** One tenant with a report in every state and a message in every one that matters, all of it in order. */
export async function addSampleLedger(server: TestServer) {
  const tenantId = await addTenant(server);
  await addCredits(server, tenantId, 1_000_000);
  const add = async (state: ReportState, charged?: number) => {
    const id = await addLiveReport(server, tenantId, state);
    await holdFor(server, tenantId, 'report', id);
    if (charged !== undefined) await capture(server, { tenantId, kind: 'report', sourceId: id }, charged, id);
    return id;
  };
  const partly = results('ok', 'no-trace', 'unavailable');

  const completeAtOnce = await add({ status: 'complete', bureauResults: partly }, P - PRICE.bureau);
  const completeLater = await add({ status: 'complete', bureauResults: partly, challengeId: newId() }, P);
  await refund(server, tenantId, completeLater, PRICE.bureau);
  const challengedId = newId();
  const challenged = await add({ status: 'challenged', challengeId: challengedId }, P);
  const fetching = await add({ status: 'fetching', challengeId: newId() }, P);
  const failedId = newId();
  const failedLater = await add({ status: 'failed', failure: 'attempts-used', challengeId: failedId }, P);
  await refund(server, tenantId, failedLater, P);
  const expiredId = newId();
  const expired = await add({ status: 'expired', failure: 'expired', challengeId: expiredId }, P);
  await refund(server, tenantId, expired, P);
  const failedAtOnce = await add({ status: 'failed', failure: 'no-bureau-answered' });
  await release(server, tenantId, 'report', failedAtOnce);
  const blocked = await add({ status: 'blocked' });
  await release(server, tenantId, 'report', blocked);
  const pending = await add({ status: 'pending' });

  const send = async (creditReportId: string, challengeId: string, state: string) => {
    const id = await addSend(server, tenantId, { creditReportId, challengeId, state });
    await holdFor(server, tenantId, 'sms', id);
    return id;
  };
  const deliveredSend = await send(challenged, challengedId, 'delivered');
  await capture(server, { tenantId, kind: 'sms', sourceId: deliveredSend }, PRICE.sms, challenged);
  const openSend = await send(challenged, challengedId, 'submitted');
  const silentSend = await send(expired, expiredId, 'silent');
  await release(server, tenantId, 'sms', silentSend);
  const late = async (kind: 'sms-charge' | 'sms-writeoff') => {
    const id = await send(failedLater, failedId, 'delivered');
    await release(server, tenantId, 'sms', id);
    await withBook(server, tenantId, {}, (ledger) =>
      ledger.post({ tenantId, kind, sourceId: id, amount: PRICE.sms, creditReportId: failedLater }),
    );
    return id;
  };
  const lateSend = await late('sms-charge');
  const writtenOffSend = await late('sms-writeoff');
  return {
    tenantId,
    completeAtOnce,
    challenged,
    fetching,
    failedLater,
    failedAtOnce,
    blocked,
    pending,
    deliveredSend,
    openSend,
    silentSend,
    lateSend,
    writtenOffSend,
  };
}

export type SampleLedger = Awaited<ReturnType<typeof addSampleLedger>>;

/** Runs statements as a superuser with every trigger and foreign key asleep: for planting what cannot happen. */
export async function plant(server: TestServer, ...statements: readonly string[]): Promise<void> {
  await server.query('set session_replication_role = replica');
  try {
    for (const statement of statements) await server.query(statement);
  } finally {
    await server.query('set session_replication_role = origin');
  }
}
