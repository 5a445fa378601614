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

/** Opens the wallets' ledger, lets `work` use it and writes it. */
export async function withBooks(
  server: TestServer,
  tenantIds: readonly string[],
  order: Omit<LedgerOrder, 'tenantIds'>,
  work: (ledger: LedgerSession) => void,
): Promise<void> {
  await server.database.forTenants(tenantIds, async (tx) => {
    const ledger = await openLedger(tx, { tenantIds, ...order });
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

/** A live report of each tenant as it lies in the database, without any money; with the challenges, if any. */
export async function addLiveReports(
  server: TestServer,
  tenantIds: readonly string[],
  state: Omit<ReportState, 'challengeId'>,
  challengeIds: readonly string[] = [],
): Promise<string[]> {
  const { status, reference } = state;
  const vault = createVault(server.config.vaultKeys);
  const hashReference = createKeyedHash(server.config.hashKeys[0].key, 'external-reference');
  const reports = tenantIds.map((tenantId) => {
    const id = newId();
    const { dataKey, wrapped } = vault.createDataKey({ tenantId, subjectId: id });
    return {
      ...{ tenantId, id, isTest: false, callerId: newId(), source: 'api' as const, status, wrapped },
      externalReferenceHash: reference === undefined ? null : hashReference(tenantId, reference),
      sealedRequest: dataKey.seal('request', JSON.stringify({ externalReference: reference })),
      sealedReport: status === 'complete' ? dataKey.seal('report', JSON.stringify(REPORT)) : null,
      ...{ sealedProvenance: null, firstSendId: null },
    };
  });
  const ids = reports.map(({ id }) => id);
  await server.database.forTenants(tenantIds, async (tx) => {
    await insertReports(tx, reports);
    const challenges = challengeIds.map((id, place) => {
      const { tenantId = '', id: creditReportId = '' } = reports[place] ?? {};
      return { tenantId, creditReportId, id, isTest: false, dueInMs: HOUR_MS };
    });
    if (challenges.length > 0) await insertChallenges(tx, challenges);
  });
  const isOpen = status === 'challenged' || status === 'fetching';
  if (!isOpen) await server.query('update challenges set due_at = null where credit_report_id = any ($1)', [ids]);
  await server.query('update credit_reports set failure = $2, bureau_results = $3 where id = any ($1)', [
    ids,
    state.failure ?? null,
    state.bureauResults ? JSON.stringify(state.bureauResults) : null,
  ]);
  return ids;
}

export async function addLiveReport(server: TestServer, tenantId: string, state: ReportState): Promise<string> {
  const { challengeId, ...rest } = state;
  const [id = ''] = await addLiveReports(server, [tenantId], rest, challengeId === undefined ? [] : [challengeId]);
  return id;
}

export type NewSend = {
  readonly tenantId: string;
  readonly creditReportId: string;
  readonly challengeId: string;
  readonly state: string;
};

export async function addSends(server: TestServer, sends: readonly NewSend[]): Promise<string[]> {
  const ids = sends.map(() => newId());
  await server.query(
    `insert into sms_sends (tenant_id, id, credit_report_id, challenge_id, state)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[])`,
    [
      sends.map(({ tenantId }) => tenantId),
      ids,
      sends.map(({ creditReportId }) => creditReportId),
      sends.map(({ challengeId }) => challengeId),
      sends.map(({ state }) => state),
    ],
  );
  return ids;
}

export async function addSend(server: TestServer, tenantId: string, send: Omit<NewSend, 'tenantId'>): Promise<string> {
  const [id = ''] = await addSends(server, [{ tenantId, ...send }]);
  return id;
}

/** What is held for one report or message. */
export type Held = { readonly tenantId: string; readonly kind: 'report' | 'sms'; readonly sourceId: string };

const walletsOf = (all: readonly { readonly tenantId: string }[]) => all.map(({ tenantId }) => tenantId);

export const holdAll = (server: TestServer, all: readonly Held[]) =>
  withBooks(server, walletsOf(all), {}, (ledger) => {
    for (const held of all) {
      ledger.hold({
        ...held,
        amount: held.kind === 'report' ? P : PRICE.sms,
        perBureau: held.kind === 'report' ? PRICE.bureau : null,
        lifetimeMs: HOUR_MS,
      });
    }
  });
export const holdFor = (server: TestServer, tenantId: string, kind: 'report' | 'sms', sourceId: string) =>
  holdAll(server, [{ tenantId, kind, sourceId }]);

type Captured = Held & { readonly creditReportId: string };
export const captureAll = (server: TestServer, all: readonly Captured[], amount: number) =>
  withBooks(server, walletsOf(all), { holds: all }, (ledger) => {
    for (const { creditReportId, ...key } of all) ledger.capture(key, amount, creditReportId);
  });
export const capture = (server: TestServer, key: Held, amount: number, creditReportId: string) =>
  captureAll(server, [{ ...key, creditReportId }], amount);

export const releaseAll = (server: TestServer, all: readonly Held[]) =>
  withBooks(server, walletsOf(all), { holds: all }, (ledger) => {
    for (const key of all) ledger.void(key);
  });
export const release = (server: TestServer, tenantId: string, kind: 'report' | 'sms', sourceId: string) =>
  releaseAll(server, [{ tenantId, kind, sourceId }]);

type Charged = { readonly tenantId: string; readonly creditReportId: string };
export function refundAll(server: TestServer, all: readonly Charged[], amount: number): Promise<void> {
  const lines = all.map(({ tenantId, creditReportId: sourceId }) => ({
    ...{ tenantId, kind: 'report-charge' as const, sourceId },
  }));
  return withBooks(server, walletsOf(all), { lines }, (ledger) => {
    for (const line of lines) {
      const { tenantId, sourceId } = line;
      const reversesSeq = ledger.findLine(line)?.seq ?? 0;
      ledger.post({
        ...{ tenantId, kind: 'report-refund', sourceId, amount, creditReportId: sourceId, reversesSeq },
      });
    }
  });
}
export const refund = (server: TestServer, tenantId: string, creditReportId: string, amount: number) =>
  refundAll(server, [{ tenantId, creditReportId }], amount);

/** Runs statements as a superuser with every trigger and foreign key asleep: for planting what cannot happen. */
export async function plant(server: TestServer, ...statements: readonly string[]): Promise<void> {
  await server.query('set session_replication_role = replica');
  try {
    for (const statement of statements) await server.query(statement);
  } finally {
    await server.query('set session_replication_role = origin');
  }
}
