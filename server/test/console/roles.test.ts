// What each role is shown, and what it finds at the address of every page, in a real browser. The server refuses the same.
import { readFileSync } from 'node:fs';
import { ROLE_SCOPES, type Role, type Scope } from '@trefoil/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBody, type TestServer } from '../harness.ts';
import { lookAt, openChromium } from '../support/chromium.ts';
import { openConsole, PATIENCE_MS, startConsoleServer } from '../support/console.ts';

let server: TestServer;
let chromium: Browser;
beforeAll(async () => {
  server = await startConsoleServer();
  creditReportId = (await server.trefoil.generate(generateBody())).data.creditReportId;
  const url = 'http://127.0.0.1:1024/endpoint';
  endpointId = (await server.trefoil.createWebhookEndpoint({ url, test: true })).data.id;
  chromium = await openChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

/**
 * `link` is none where a list leads there. `isPost` where the place only writes: an empty body is refused by those who may, and the
 * role by the others.
 */
type Place = { path: string; link?: string; heading: string; scope: Scope; operation: string; isPost?: true };

let creditReportId: string;
let endpointId: string;

const placesOf = (): readonly Place[] => [
  { path: '/reports', link: 'Reports', heading: 'Reports', scope: 'reports:read', operation: 'credit-reports' },
  {
    // A live price needs bureaus, which this server has none of.
    path: '/new?mode=test',
    link: 'New report',
    heading: 'New report',
    scope: 'reports:write',
    operation: 'credit-reports/quote',
    isPost: true,
  },
  {
    path: '/playground?mode=test',
    link: 'Test playground',
    heading: 'Test playground',
    scope: 'reports:write',
    operation: `credit-reports/${creditReportId}/test-clock`,
    isPost: true,
  },
  {
    path: `/reports/${creditReportId}?mode=test`,
    heading: 'Report',
    scope: 'reports:read',
    operation: `credit-reports/${creditReportId}`,
  },
  { path: '/wallet', link: 'Wallet', heading: 'Wallet', scope: 'wallet:read', operation: 'wallet/entries' },
  {
    path: '/credentials',
    link: 'API credentials',
    heading: 'API credentials',
    scope: 'credentials:write',
    operation: 'credentials',
  },
  {
    path: '/webhooks',
    link: 'Webhooks',
    heading: 'Webhooks',
    scope: 'webhooks:write',
    operation: 'webhook-endpoints',
  },
  {
    path: `/webhooks/${endpointId}?mode=test`,
    // Also the end of its address, which is the heading for those who may see it.
    heading: 'Endpoint',
    scope: 'webhooks:write',
    operation: `webhook-endpoints/${endpointId}`,
  },
  { path: '/events', link: 'Events', heading: 'Events', scope: 'events:read', operation: 'events' },
  { path: '/settings', link: 'Settings', heading: 'Settings', scope: 'settings:write', operation: 'settings' },
  { path: '/people', link: 'People', heading: 'People', scope: 'members:write', operation: 'members' },
  { path: '/audit', link: 'Audit log', heading: 'Audit log', scope: 'audit:read', operation: 'audit' },
];

/** The cards of Home, and the scope without which a role does not see one. */
const CARDS: Readonly<Record<string, Scope>> = {
  Balance: 'wallet:read',
  Spend: 'wallet:read',
  Outcomes: 'wallet:read',
  'One-time codes': 'wallet:read',
  Bureaus: 'reports:read',
  'Recent activity': 'reports:read',
};
const POST = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }`;

test('every page of the console is among the places', () => {
  const router = readFileSync(new URL('../../../console/src/router.tsx', import.meta.url), 'utf8');
  const pages = [...router.matchAll(/=> company,\s+path: '(\/.+)'/g)].map(([, path]) => path);
  const tried = placesOf().map(({ path }) =>
    path.replace(/\?.*/, '').replace(creditReportId, '$reportId').replace(endpointId, '$endpointId'),
  );
  expect(new Set(tried)).toEqual(new Set(pages));
});

for (const role of Object.keys(ROLE_SCOPES) as Role[]) {
  test(
    `${role}: sees the places of the role; at the address of any other it says so, and the server refuses`,
    async () => {
      const { page, tenantId, go, checkQuiet } = await openConsole(chromium, server, role);
      const scopes: readonly Scope[] = ROLE_SCOPES[role];
      const activity = page.getByRole('region', { name: 'Recent activity' });
      await page.getByText('Nothing has happened yet').or(activity.getByRole('listitem')).first().waitFor();
      const cards = Object.keys(CARDS).filter((name) => scopes.includes(CARDS[name] as Scope));
      expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(cards);
      expect(await page.getByText(/could not be loaded|Your role does not/).count()).toBe(0);
      for (const { path, link, heading, scope, operation, isPost } of placesOf()) {
        const isAllowed = scopes.includes(scope);
        await go(path);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        const places = page.getByRole('navigation', { name: 'Main' });
        if (link) {
          expect(await places.getByRole('link', { name: link, exact: true }).count(), link).toBe(isAllowed ? 1 : 0);
        }
        const refusal = page.getByText('Your role does not include this');
        expect(await refusal.count(), path).toBe(isAllowed ? 0 : 1);
        if (!isAllowed && role === 'analyst') await lookAt(page, `console-forbidden${path.replaceAll(/\W/g, '-')}`);
        const { status } = (await page.evaluate(
          `fetch('/${tenantId}/v1/${operation}', ${isPost ? POST : '{}'}).then(({ status }) => ({ status }))`,
        )) as {
          status: number;
        };
        expect(status, operation).toBe(!isAllowed ? 403 : isPost ? 400 : 200);
      }
      expect((await page.getByText('Available', { exact: true }).count()) > 0).toBe(scopes.includes('wallet:read'));
      checkQuiet();
    },
    PATIENCE_MS,
  );
}
