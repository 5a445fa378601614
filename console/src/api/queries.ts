// What can be asked, as query options: a page names a question and gets its cached answer. Keys begin with the company, so
// an answer of one company is never shown under another.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type components, type Trefoil, TrefoilError } from '@trefoil/sdk';
import { api, personApi } from './client.ts';

type Schemas = components['schemas'];
export type Mode = 'live' | 'test';
export type ReportItem = Schemas['CreditReportItem'];
export type ReportStatus = ReportItem['status'];
export type WalletEntry = Schemas['WalletEntry'];

const SELDOM_MS = 5 * 60_000;
const PAGE_SIZE = 25;
/** How soon a report in progress is asked for again. */
const IN_PROGRESS_MS = 3_000;

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => personApi.getProfile({ signal }),
  staleTime: SELDOM_MS,
});

export const companiesQuery = queryOptions({
  queryKey: ['companies'],
  queryFn: async ({ signal }) => (await personApi.listTenants({ signal })).items,
  staleTime: SELDOM_MS,
});

/** How often what the wallet has is asked for again. */
export const BALANCE_MS = 30_000;

/** Each mode has its own. */
export const walletQuery = (tenantId: string, mode: Mode = 'live') =>
  queryOptions({
    queryKey: [tenantId, 'wallet', mode],
    queryFn: async ({ signal }) => {
      const trefoil = api(tenantId);
      return (await (mode === 'test' ? trefoil.getTestWallet({ signal }) : trefoil.getWallet({ signal }))).data;
    },
    refetchInterval: BALANCE_MS,
  });

export const pricesQuery = (tenantId: string) =>
  queryOptions({
    queryKey: [tenantId, 'prices'],
    queryFn: async ({ signal }) => (await api(tenantId).getPrices({ signal })).data,
    staleTime: SELDOM_MS,
  });

export type ReportFilter = {
  readonly mode: Mode;
  readonly status?: ReportStatus | undefined;
  /** Matched whole. */
  readonly reference?: string | undefined;
};

const reportsQueryOf = ({ mode, reference }: ReportFilter) => ({
  test: mode === 'test',
  ...(reference && { externalReference: reference }),
});

export const reportsQuery = (tenantId: string, filter: ReportFilter) =>
  infiniteQueryOptions({
    queryKey: [tenantId, 'reports', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { status } = filter;
      const query = { limit: PAGE_SIZE, ...reportsQueryOf(filter), ...(status && { status }) };
      return (await api(tenantId).listReports({ ...query, ...(pageParam && { cursor: pageParam }) }, { signal })).data;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** How many there are of each outcome, whichever of them the list shows. */
export const reportCountsQuery = (tenantId: string, filter: ReportFilter) =>
  queryOptions({
    queryKey: [tenantId, 'report-counts', reportsQueryOf(filter)],
    queryFn: async ({ signal }) => (await api(tenantId).countReports(reportsQueryOf(filter), { signal })).data,
  });

export const reportQuery = (tenantId: string, creditReportId: string) =>
  queryOptions({
    queryKey: [tenantId, 'report', creditReportId],
    // Not repeated by the client library, which would wait for a report in progress without a word.
    queryFn: ({ signal }) => api(tenantId).getReport(creditReportId, { signal, maxRetries: 0 }),
    refetchInterval: ({ state: { error } }) =>
      error instanceof TrefoilError && error.is('request-in-progress') ? IN_PROGRESS_MS : false,
  });

/** A test report's lines are in the test wallet, if it asked for charges. */
export const reportCostQuery = (tenantId: string, creditReportId: string, test: boolean) =>
  queryOptions({
    queryKey: [tenantId, 'entries', { creditReportId, test }],
    queryFn: async ({ signal }) =>
      (await api(tenantId).listWalletEntries({ creditReportId, test, limit: 100 }, { signal })).data.items,
  });

/** `from` and `to` are instants; the second is not part of the time. */
export type Period = { readonly from: string; readonly to: string };

/** Of the test wallet there are no months. */
export const entriesQuery = (tenantId: string, mode: Mode, period?: Period) =>
  infiniteQueryOptions({
    queryKey: [tenantId, 'entries', { mode, ...period }],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const ofMode = mode === 'test' && { test: true };
      const query = { limit: PAGE_SIZE, ...ofMode, ...period, ...(pageParam && { cursor: pageParam }) };
      return (await api(tenantId).listWalletEntries(query, { signal })).data;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** Every item of a list that a company keeps short. */
async function all<Item>(pages: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** A read that gathers a whole short list. */
const shortList = <Item>(
  tenantId: string,
  name: string,
  list: (trefoil: Trefoil, signal: AbortSignal) => AsyncIterable<Item>,
) =>
  queryOptions({
    queryKey: [tenantId, name],
    queryFn: ({ signal }) => all(list(api(tenantId), signal)),
  });

export const credentialsQuery = (tenantId: string) =>
  shortList(tenantId, 'credentials', (trefoil, signal) => trefoil.listCredentials({ limit: 100 }, { signal }));

export const membersQuery = (tenantId: string) =>
  shortList(tenantId, 'members', (trefoil, signal) => trefoil.listMembers({ limit: 100 }, { signal }));

export const invitationsQuery = (tenantId: string) =>
  shortList(tenantId, 'invitations', (trefoil, signal) => trefoil.listInvitations({ limit: 100 }, { signal }));

export type AuditFilter = {
  readonly action?: string | undefined;
  readonly from?: string | undefined;
};

export const auditQuery = (tenantId: string, { action, from }: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [tenantId, 'audit', { action, from }],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const filter = { ...(action && { action }), ...(from && { from }) };
      const query = { limit: 50, ...filter, ...(pageParam && { cursor: pageParam }) };
      return (await api(tenantId).listAudit(query, { signal })).data;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
