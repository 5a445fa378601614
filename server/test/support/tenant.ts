// A tenant of a test's own, with its own wallet, and everything the service has written about it, as short lines.

import { SCOPES } from '@trefoil/contract';
import { createTrefoil, type Trefoil, TrefoilError } from '@trefoil/sdk';
import type { DemoTenant } from '../../../tools/dev/seed.ts';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { createUser } from '../../src/identity/people/change-user.ts';
import { newId } from '../../src/lib/ids.ts';
import { addMember, changeRate, createTenant } from '../../src/tenants/change-tenant.ts';
import { createWallet } from '../../src/wallet/create-wallet.ts';
import { CLIENT } from '../harness.ts';
import type { LiveServer } from './live.ts';

export type OwnTenant = DemoTenant & { readonly trefoil: Trefoil };

export async function addTenant(server: LiveServer, credits: number): Promise<OwnTenant> {
  const tenant = await server.database.asSystem(async (tx) => {
    const tenantId = await createTenant(tx, 'Larkfield Loans');
    await createWallet(tx, tenantId);
    await changeRate(tx, tenantId, 100_000, 200_000);
    const email = `owner-${newId()}@example.com`;
    const ownerUserId = await createUser(tx, { email, firstName: 'Olga', lastName: 'Owner' });
    await addMember(tx, tenantId, ownerUserId, 'owner');
    const credential = await createCredential(tx, { tenantId, name: 'Test', ownerUserId, scopes: SCOPES });
    return { tenantId, clientId: credential.clientId, clientSecret: credential.clientSecret ?? '' };
  });
  if (credits > 0) await server.fund(tenant.tenantId, credits);
  return { ...tenant, trefoil: createTrefoil({ ...CLIENT, baseUrl: server.baseUrl, ...tenant }) };
}

/** What the service has written for one tenant, in its order. */
export type Story = {
  readonly balance: number;
  readonly held: number;
  /** Oldest first: status, then the failure. */
  readonly reports: string[];
  /** Reports' holds first, oldest first: kind, amount, state, what was captured. */
  readonly holds: string[];
  /** Kind, what it did to the wallet, the balance after it. */
  readonly lines: string[];
  /** Type and what it is about: report 1, send 2. */
  readonly events: string[];
  /** Action, by whom, about what. */
  readonly audit: string[];
  readonly sends: string[];
};

export async function storyOf(server: LiveServer, { tenantId, clientId }: DemoTenant): Promise<Story> {
  const list = async (text: string) => (await server.query<{ line: string }>(text, [tenantId])).map(({ line }) => line);
  const ids = async (text: string) => (await server.query<{ id: string }>(text, [tenantId])).map(({ id }) => id);
  // Ids are in the order of time.
  const reports = await ids('select id from credit_reports where tenant_id = $1 order by id');
  const sends = await ids('select id from sms_sends where tenant_id = $1 order by id');
  const named = (line: string) =>
    line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
      if (id === clientId) return 'caller';
      if (reports.includes(id)) return `report ${reports.indexOf(id) + 1}`;
      if (sends.includes(id)) return `send ${sends.indexOf(id) + 1}`;
      return 'unknown';
    });
  const wallet = await server.wallet(tenantId);
  const of = async (text: string) => (await list(text)).map(named);
  return {
    ...wallet,
    reports: await of(
      `select concat_ws(' ', status, failure) as line from credit_reports where tenant_id = $1 order by id`,
    ),
    holds: await of(
      `select concat_ws(' ', kind, amount, state, nullif(captured_amount, 0)) as line from holds
        where tenant_id = $1 order by kind, source_id`,
    ),
    lines: await of(
      `select concat_ws(' ', kind, coalesce(amount, 0), balance_after) as line
         from ledger_txs left join ledger_entries on ledger_entries.tenant_id = ledger_txs.tenant_id
              and ledger_entries.seq = ledger_txs.seq and account = 'wallet'
        where ledger_txs.tenant_id = $1 and kind <> 'top-up' order by ledger_txs.seq`,
    ),
    events: await of(
      `select concat_ws(' ', type, subject_id) as line from outbox where tenant_id = $1 and type <> 'wallet.topped-up' order by id`,
    ),
    audit: await of(
      `select concat_ws(' ', action, 'by', actor, subject_id) as line from audit_log
        where tenant_id = $1 and action not in ('wallet.top-up', 'token.issued') order by seq`,
    ),
    sends: await of(`select state as line from sms_sends where tenant_id = $1 order by id`),
  };
}

export type Refusal = {
  readonly status: number;
  readonly code: string;
  readonly required?: number;
  readonly available?: number;
  readonly retryAfterSeconds?: number;
};

/** The refusal a call must meet; fails when it is let through. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const error = await call.then(
    (answer) => {
      throw new Error(`not refused: ${JSON.stringify(answer)}`);
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof TrefoilError)) throw error;
  const { status, code, required, available, retryAfterSeconds } = error;
  return JSON.parse(JSON.stringify({ status, code, required, available, retryAfterSeconds })) as Refusal;
}
