// A live server: the real app, the simulators as real processes, and what a test needs to see of both.
import type { GenerateRequest } from '@trefoil/contract';
import { expect } from 'vitest';
import { type SimulatedProviders, startProviders } from '../../../tools/dev/simulated-providers.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createDeviceSessions, type DeviceFacts } from '../../src/fingerprints/device-session.ts';
import { newId } from '../../src/lib/ids.ts';
import { topUp } from '../../src/wallet/top-up.ts';
import { generateBody, type ServerOptions, startServer, type TestServer } from '../harness.ts';

export type InboxMessage = {
  readonly to: string;
  readonly body: string;
  readonly sid: string;
  readonly sendId: string;
  readonly submits: number;
};

type LoggedEnquiry = { readonly enquiryId: string; readonly enquiries: number };

export type LiveServer = TestServer & {
  readonly providers: SimulatedProviders;
  /** A fresh device session, as the page's script would get it. */
  mintSession(at?: Date, changes?: Partial<DeviceFacts>): string;
  fund(tenantId: string, credits: number): Promise<void>;
  wallet(tenantId: string): Promise<{ balance: number; held: number }>;
  /** Resolves when every receipt that was stored has been applied. */
  receiptsApplied(): Promise<void>;
  inbox(to: string): Promise<InboxMessage[]>;
  /** The code of the newest message to this number, once there is one. */
  code(to: string): Promise<string>;
  /** How often each enquiry was made, at this bureau or at the screening provider. */
  enquiries(name: 'albion' | 'beacon' | 'cygnet' | 'screening'): Promise<Map<string, number>>;
};

/** Guards wide and patient enough for hundreds at once: a report that meets a full or tired one would be a partial one. */
function widened(environment: Record<string, string>): Record<string, string> {
  const room = { maxConcurrent: 400, timeoutMs: 14_000 };
  const parse = (name: string) => JSON.parse(environment[name] ?? '{}') as Record<string, object>;
  const bureaus = Object.entries(parse('TREFOIL_BUREAUS')).map(([bureau, settings]) => [
    bureau,
    { ...settings, ...room },
  ]);
  return {
    ...environment,
    TREFOIL_BUREAUS: JSON.stringify(Object.fromEntries(bureaus)),
    TREFOIL_SCREENING: JSON.stringify({ ...parse('TREFOIL_SCREENING'), ...room }),
  };
}

export type LiveServerOptions = ServerOptions & {
  readonly isWide?: boolean;
  /** Changes to the settings of the providers, such as addresses that lead through something of the test's. */
  readonly change?: (environment: Record<string, string>) => Promise<Record<string, string>>;
};

export async function startLiveServer(options: LiveServerOptions = {}): Promise<LiveServer> {
  const providers = await startProviders();
  const environment = options.isWide ? widened(providers.environment) : providers.environment;
  const changed = { ...environment, ...(await options.change?.(environment)), ...options.environment };
  const server = await startServer({ ...options, environment: changed }).catch(async (error) => {
    await providers.stop();
    throw error;
  });
  // A test sends in seconds what a tenant sends in a day; the budgets of messages have tests of their own.
  for (const name of ['sms_daily_messages', 'sms_minute_messages']) {
    await server.query(`alter table tenants alter column ${name} set default 1000000`);
    await server.query(`update tenants set ${name} = 1000000`);
  }
  const sessions = createDeviceSessions(server.config.vaultKeys);
  const facts = {
    deviceDigest: 'a'.repeat(32),
    collectedAt: new Date().toISOString(),
    network: { ipAddress: '192.0.2.10', userAgentFamily: 'Chromium' },
  };
  const { addresses } = providers;
  const getJson = async (url: string) => (await fetch(url)).json() as Promise<unknown>;

  async function inbox(to: string): Promise<InboxMessage[]> {
    const found = await getJson(`${addresses.carrier}/inbox.json?to=${encodeURIComponent(to)}`);
    return Array.isArray(found) ? found : (found as { messages: InboxMessage[] }).messages;
  }

  return {
    ...server,
    providers,
    mintSession: (at = new Date(), changes = {}) => sessions.seal({ ...facts, ...changes }, at),
    async fund(tenantId, credits) {
      const order = { credits, sourceId: newId(), note: 'test' };
      await server.database.forTenants([tenantId], (tx) => topUp(tx, tenantId, order));
    },
    async wallet(tenantId) {
      const [wallet] = await server.query<{ balance: string; held: string }>(
        'select balance, held from wallets where tenant_id = $1',
        [tenantId],
      );
      return { balance: Number(wallet?.balance), held: Number(wallet?.held) };
    },
    inbox,
    async receiptsApplied() {
      await eventually(async () =>
        expect(await server.query('select from sms_receipts where pending_since is not null')).toEqual([]),
      );
    },
    code: (to) =>
      eventually(async () => {
        const [newest] = await inbox(to);
        const code = newest && /\b\d{6}\b/.exec(newest.body)?.[0];
        if (code) return code;
        throw new Error(`no message with a code has arrived at ${to}`);
      }),
    async enquiries(name) {
      const { enquiries } = (await getJson(`${addresses[name]}/control/enquiries`)) as { enquiries: LoggedEnquiry[] };
      return new Map(enquiries.map((each) => [each.enquiryId, each.enquiries]));
    },
    async close() {
      await server.close();
      await providers.stop();
    },
  };
}

/** A valid live request; pass what should differ. */
export function liveBody(sessionId: string, changes: Partial<GenerateRequest> = {}): GenerateRequest {
  const { test: _, ...body } = generateBody();
  return { ...body, sessionId, email: 'allow@example.com', ...changes };
}
