// Routes: what each page needs and what it starts to load. A page's code is loaded when the page is first opened.
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { useCompany } from './api/company.ts';
import { companiesQuery, profileQuery, type ReportStatus } from './api/queries.ts';
import { queryClient } from './api/query-client.ts';
import { isSignedOut } from './api/sign-in.ts';
import { readDeliveryFilter } from './format/delivery-filter.ts';
import { isEventFilter } from './format/event-words.ts';
import type { Scope } from './format/roles.ts';
import { STATUSES } from './format/words.ts';
import { Confirmed, Lost, LostAlone, NotAllowed, Waiting, WaitingAlone, Wrong, WrongAlone } from './shell/edges.tsx';
import { latePage } from './shell/late-page.tsx';
import { Shell } from './shell/shell.tsx';

type Search = Readonly<Record<string, unknown>>;

/** To a page outside the console: the router waits until the browser has left. */
function leaveFor(path: string): Promise<never> {
  location.replace(path);
  return new Promise(() => {});
}

/** While the browser is on its way to the sign-in, the page waits, instead of saying that something went wrong. */
const untilSignIn = <T,>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    if (!isSignedOut(error)) throw error;
    return new Promise<never>(() => {});
  });

const root = createRootRoute({ component: Outlet });

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const open = (await untilSignIn(queryClient.ensureQueryData(companiesQuery))).filter(({ isEnabled }) => isEnabled);
    const chosen = open.find(({ isSelected }) => isSelected) ?? open[0];
    // The account page tells a person without a company how to get one.
    if (!chosen) return leaveFor('/v1/auth/account');
    throw redirect({ to: '/$tenantId', params: { tenantId: chosen.id }, replace: true });
  },
});

const confirmed = createRoute({ getParentRoute: () => root, path: '/confirmed', component: Confirmed });

const company = createRoute({
  getParentRoute: () => root,
  path: '/$tenantId',
  component: Shell,
  notFoundComponent: Lost,
  validateSearch: ({ mode }: Search): { mode?: 'test' | undefined } => (mode === 'test' ? { mode } : {}),
  // The mode goes along from page to page.
  search: { middlewares: [retainSearchParams(['mode'])] },
  loader: () =>
    untilSignIn(Promise.all([queryClient.ensureQueryData(profileQuery), queryClient.ensureQueryData(companiesQuery)])),
});

/** Of all roles: each sees the cards that its scopes allow. */
const home = createRoute({
  getParentRoute: () => company,
  path: '/',
  component: latePage('Home', () => import('./home/home-page.tsx').then((loaded) => loaded.HomePage)),
});

/** A page of those whose role has the scope. Its code is not even asked for by others. */
function guarded(scope: Scope, title: string, fetchPage: () => Promise<ComponentType>): () => ReactNode {
  const Page = latePage(title, fetchPage);
  return function Guarded() {
    return useCompany().may(scope) ? <Page /> : <NotAllowed title={title} />;
  };
}

const reports = createRoute({
  getParentRoute: () => company,
  path: '/reports',
  validateSearch: ({ status }: Search): { status?: ReportStatus | undefined } =>
    typeof status === 'string' && Object.hasOwn(STATUSES, status) ? { status: status as ReportStatus } : {},
  component: guarded('reports:read', 'Reports', () =>
    import('./reports/reports-page.tsx').then((loaded) => loaded.ReportsPage),
  ),
});

const report = createRoute({
  getParentRoute: () => company,
  path: '/reports/$reportId',
  validateSearch: ({ view }: Search): { view?: 'json' | undefined } => (view === 'json' ? { view } : {}),
  component: guarded('reports:read', 'Report', () =>
    import('./reports/report-page.tsx').then((loaded) => loaded.ReportPage),
  ),
});

const newReport = createRoute({
  getParentRoute: () => company,
  path: '/new',
  component: guarded('reports:write', 'New report', () =>
    import('./new-report/new-report-page.tsx').then((loaded) => loaded.NewReportPage),
  ),
});

const playground = createRoute({
  getParentRoute: () => company,
  path: '/playground',
  component: guarded('reports:write', 'Test playground', () =>
    import('./playground/playground-page.tsx').then((loaded) => loaded.PlaygroundPage),
  ),
});

const wallet = createRoute({
  getParentRoute: () => company,
  path: '/wallet',
  validateSearch: ({ month }: Search): { month?: string | undefined } =>
    typeof month === 'string' && /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? { month } : {},
  component: guarded('wallet:read', 'Wallet', () =>
    import('./wallet/wallet-page.tsx').then((loaded) => loaded.WalletPage),
  ),
});

const credentials = createRoute({
  getParentRoute: () => company,
  path: '/credentials',
  component: guarded('credentials:write', 'API credentials', () =>
    import('./credentials/credentials-page.tsx').then((loaded) => loaded.CredentialsPage),
  ),
});

const webhooks = createRoute({
  getParentRoute: () => company,
  path: '/webhooks',
  component: guarded('webhooks:write', 'Webhooks', () =>
    import('./webhooks/webhooks-page.tsx').then((loaded) => loaded.WebhooksPage),
  ),
});

const webhook = createRoute({
  getParentRoute: () => company,
  path: '/webhooks/$endpointId',
  validateSearch: readDeliveryFilter,
  component: guarded('webhooks:write', 'Endpoint', () =>
    import('./webhooks/endpoint-page.tsx').then((loaded) => loaded.EndpointPage),
  ),
});

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const events = createRoute({
  getParentRoute: () => company,
  path: '/events',
  validateSearch: ({ type, report: of }: Search): { type?: string | undefined; report?: string | undefined } => ({
    ...(typeof type === 'string' && isEventFilter(type) && { type }),
    ...(typeof of === 'string' && ID.test(of) && { report: of }),
  }),
  component: guarded('events:read', 'Events', () =>
    import('./events/events-page.tsx').then((loaded) => loaded.EventsPage),
  ),
});

const settings = createRoute({
  getParentRoute: () => company,
  path: '/settings',
  component: guarded('settings:write', 'Settings', () =>
    import('./settings/settings-page.tsx').then((loaded) => loaded.SettingsPage),
  ),
});

const people = createRoute({
  getParentRoute: () => company,
  path: '/people',
  component: guarded('members:write', 'People', () =>
    import('./people/people-page.tsx').then((loaded) => loaded.PeoplePage),
  ),
});

const audit = createRoute({
  getParentRoute: () => company,
  path: '/audit',
  component: guarded('audit:read', 'Audit log', () =>
    import('./audit/audit-page.tsx').then((loaded) => loaded.AuditPage),
  ),
});

const tree = root.addChildren([
  index,
  confirmed,
  company.addChildren([
    home,
    reports,
    report,
    newReport,
    playground,
    wallet,
    credentials,
    webhooks,
    webhook,
    events,
    people,
    audit,
    settings,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: Wrong,
  defaultNotFoundComponent: LostAlone,
  scrollRestoration: true,
});
company.update({ pendingComponent: WaitingAlone, errorComponent: WrongAlone });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
