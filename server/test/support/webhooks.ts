// What tests of webhooks share: a server that may reach this machine, tenants of their own, events, and rows whose time is
// moved.
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createSecretSeal } from '../../src/lib/crypto/secret-seal.ts';
import { newId } from '../../src/lib/ids.ts';
import { sealText } from '../../src/webhooks/sealing/sealed-texts.ts';
import { type ServerOptions, startServer, type TestServer } from '../harness.ts';
import { addTenantWithOwner, type CallReply, callAs, type TestPerson } from './people.ts';
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts';

export const DEVELOPMENT = { TREFOIL_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

/** What a message goes through, from the event to the mail that says an endpoint was disabled; and what mends turns. */
const JOBS_OF_MESSAGES = [
  ...['mark-events', 'hand-out-events', 'replay-events', 'deliver-webhooks', 'send-mails'],
  ...['end-deliveries-of-deleted', 'keep-lines', 'keep-turns'],
];
/** These run more often than in production: most tests wait for them. The others find nothing here, and looking costs. */
export const QUICK = { rests: { jobMs: 40, jobNames: JOBS_OF_MESSAGES } };

export async function startWebhookServer(options: ServerOptions = {}): Promise<TestServer> {
  const { environment, overrides } = options;
  const server = await startServer({
    ...options,
    environment: { ...DEVELOPMENT, ...environment },
    overrides: { ...QUICK, ...overrides },
  });
  return {
    ...server,
    async close() {
      await server.close();
      // Whatever adds deliveries or frees them wakes its endpoint: the job that finds others had nothing to do.
      expect(server.logText()).not.toMatch(/"job":"keep-turns","count"/);
    },
  };
}

/** Starts receivers for the tests of a file, and closes them after each. */
export function useReceivers(): typeof startReceiver {
  const receivers: Receiver[] = [];
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  return async (...order) => {
    const receiver = await startReceiver(...order);
    receivers.push(receiver);
    return receiver;
  };
}

/** One server for the tests of a file; `receive` gives each test that asks a company of its own and a receiver. */
export function useWebhookServer(options: () => ServerOptions = () => ({})) {
  const openReceiver = useReceivers();
  let server: TestServer;
  beforeAll(async () => {
    server = await startWebhookServer(options());
  });
  afterAll(() => server.close());
  return {
    openReceiver,
    receive: async (behaviour?: Behaviour) => ({
      server,
      tenant: await addWebhookTenant(server),
      receiver: await openReceiver(behaviour),
    }),
  };
}

export type Endpoint = Readonly<Record<'id' | 'url' | 'status' | 'description' | 'secret' | 'createdAt', string>> & {
  readonly eventTypes: string[] | null;
  readonly test: boolean;
  readonly ordered: boolean;
  readonly disabledReason: string | null;
  readonly retrying: number;
  readonly replay: Readonly<Record<string, unknown>> | null;
};

export type Delivery = Readonly<
  Record<'id' | 'endpointId' | 'eventId' | 'eventType' | 'state' | 'createdAt', string>
> & {
  readonly nextAttemptAt: string | null;
  readonly waitsFor: string | null;
  readonly settledAt: string | null;
  readonly attempts: readonly {
    readonly startedAt: string;
    readonly timeTakenMs: number;
    readonly status: number | null;
    readonly answer: string | null;
    readonly error: string | null;
  }[];
};

export type WebhookTenant = {
  readonly tenantId: string;
  readonly owner: TestPerson;
  call(method: string, path?: string, body?: object): Promise<CallReply>;
  add(body: object): Promise<Endpoint>;
  read(id: string): Promise<Endpoint>;
  deliveries(id: string, query?: string): Promise<Delivery[]>;
  /** Waits until the endpoint's only delivery is in this state after so many attempts. */
  settled(id: string, state: string, attempts: number): Promise<void>;
  /** Events as the service would write them, in one transaction; returns their reports. */
  happen(count: number, order?: { type?: string; reportId?: string; test?: boolean }): Promise<string[]>;
};

export async function addWebhookTenant(server: TestServer): Promise<WebhookTenant> {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const base = `/${tenantId}/v1/webhook-endpoints`;
  const call = (method: string, path = '', body?: object) => callAs(server, owner, method, `${base}${path}`, body);
  const good = async (reply: CallReply) => {
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.reply.text}`);
    return reply.data;
  };
  const deliveries: WebhookTenant['deliveries'] = async (id, query = '?limit=200') =>
    (await good(await call('GET', `/${id}/deliveries${query}`)))['items'] as Delivery[];
  return {
    tenantId,
    owner,
    call,
    deliveries,
    settled: (id, state, attempts) =>
      eventually(async () =>
        expect((await deliveries(id)).map((each) => [each.state, each.attempts.length])).toEqual([[state, attempts]]),
      ),
    add: async (body) => (await good(await call('POST', '', body))) as unknown as Endpoint,
    read: async (id) => (await good(await call('GET', `/${id}`))) as unknown as Endpoint,
    async happen(count, { type = 'report.completed', reportId, test = false } = {}) {
      const reports = Array.from({ length: count }, () => reportId ?? newId());
      await server.query(
        `insert into outbox (tenant_id, type, subject_id, credit_report_id, challenge_id, is_test, amount)
         select $1, $2::text, report, report, case when $2 like 'challenge.%' then report end, $3, 0
           from unnest($4::uuid[]) as report`,
        [tenantId, type, test, reports],
      );
      return reports;
    },
  };
}

/** An endpoint with a delivery, written by hand; others than these are deleted, so that a tenant may make more. */
export async function addWebhook(
  server: TestServer,
  tenantId: string,
  keptIds: readonly string[] = [],
): Promise<{ endpointId: string; deliveryId: string }> {
  const seal = createSecretSeal(server.config.vaultKeys);
  const [id, deliveryId] = [newId(), newId()];
  const [url, secret] = [
    sealText(seal, 'url', { tenantId, id }, 'https://hooks.example.com/'),
    sealText(seal, 'secret', { tenantId, id }, 'whsec_AAAA'),
  ];
  await server.query(
    `update webhook_endpoints
        set status = 'deleted', deleted_at = now(), replay_since = null, replay_xact_id = null, replay_event = null
      where status = 'enabled' and not id = any ($1)`,
    [keptIds],
  );
  await server.query(
    `insert into webhook_endpoints (tenant_id, id, sealed_url, host, is_test, is_ordered, sealed_secret)
     values ($1, $2, $3, 'hooks.example.com', false, false, $4)`,
    [tenantId, id, url, secret],
  );
  await server.query(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, state, attempts_max)
     values ($1, $2, $3, $4, 'wallet.low', '{}', 'failed', 10)`,
    [tenantId, deliveryId, id, `evt_${deliveryId}`],
  );
  await server.query(
    `insert into webhook_attempts (tenant_id, delivery_id, id, started_at, time_taken_ms, status)
     values ($1, $2, gen_random_uuid(), now(), 5, 500)`,
    [tenantId, deliveryId],
  );
  return { endpointId: id, deliveryId };
}

/** As if receivers on this machine had accepted many messages of the tenant: for workers that have the budgets of production. */
export async function proveHost(server: TestServer, tenantId: string, urls: readonly string[]): Promise<void> {
  await server.query(
    `insert into webhook_hosts (tenant_id, host, proven_places, accepted)
     select $1, '127.0.0.1', array_agg('127.0.0.1 ' || port), 1000000 from unnest($2::text[]) as port`,
    [tenantId, urls.map((url) => new URL(url).port)],
  );
}

/**
 * Every delivery of an endpoint that waits for a time is due now, and neither the endpoint nor its host is paused. Those that are due already are not
 * touched: claims skip rows that another transaction holds.
 */
export async function makeDue(server: TestServer, endpointId: string): Promise<void> {
  await server.query('update webhook_endpoints set paused_until = null, held_until = null where id = $1', [endpointId]);
  await server.query(
    `update webhook_hosts set paused_until = null, paused_by = null
      where tenant_id = (select tenant_id from webhook_endpoints where id = $1) and paused_until is not null`,
    [endpointId],
  );
  await server.query(
    `update webhook_deliveries set next_attempt_at = now()
      where endpoint_id = $1 and state = 'pending' and leased_until is null and next_attempt_at > now()
        and next_attempt_at < 'infinity'`,
    [endpointId],
  );
  await wakeAll(server);
}

/** After rows were changed by hand: claims look at every endpoint for which something waits. */
export const wakeAll = (server: TestServer) =>
  server.query('update webhook_turns set look_at = now() where look_at > now()');

/** Events that workers have still to make deliveries of. When it is zero and no delivery waits, what has not arrived is lost. */
export const countNotHandedOut = async (server: TestServer): Promise<number> =>
  (
    await server.query(
      'select from outbox, webhook_fanout where (outbox.xact_id, outbox.id) > (webhook_fanout.xact_id, webhook_fanout.event)',
    )
  ).length;

/** The time of an endpoint and of all that waits for it moves on; attempts under way keep their lease. */
export async function passTime(server: TestServer, endpointId: string, seconds: number): Promise<void> {
  // One statement: claims and jobs see all of it or nothing.
  await server.query(
    `with passed as (select make_interval(secs => $2) as time),
     hosts as (
       update webhook_hosts set paused_until = paused_until - time from passed
        where tenant_id = (select tenant_id from webhook_endpoints where id = $1)),
     endpoints as (
       update webhook_endpoints
          set paused_until = paused_until - time, held_until = held_until - time, failing_since = failing_since - time
         from passed
        where id = $1),
     deliveries as (
       update webhook_deliveries set next_attempt_at = next_attempt_at - time, created_at = created_at - time from passed
        where endpoint_id = $1 and leased_until is null),
     turns as (update webhook_turns set look_at = look_at - time from passed where endpoint_id = $1)
     update webhook_attempts set started_at = started_at - time from passed
      where delivery_id in (select id from webhook_deliveries where endpoint_id = $1)`,
    [endpointId, seconds],
  );
}
