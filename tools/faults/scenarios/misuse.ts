// What a company can do with webhooks at the expense of others, as often as its rate limit allows. Each turn has a company that has misused
// nothing yet, so that no budget of a day has ended the misuse before. On a fast machine others may arrive as before although a remedy is missing,
// so what the remedy itself promises is judged as well.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUser } from '../../../server/src/identity/people/change-user.ts';
import { addMember } from '../../../server/src/tenants/change-tenant.ts';
import { TIMEOUT_MS } from '../../../server/src/webhooks/deliver.ts';
import { BUDGETS } from '../../../server/src/webhooks/rules/budgets.ts';
import { answer, type Behaviour, type Receiver, startReceiver } from '../../../server/test/support/receiver.ts';
import { type Company, openCompany } from '../company.ts';
import { besideDeliveries, HEALTHY } from '../deliveries.ts';
import { type Offer, offer } from '../load.ts';
import type { Run, Scenario } from '../scenario.ts';
import { alternate } from '../windows.ts';

/** As many as a company may have. */
const ENDPOINTS = 20;
/** A second: the rate limit of a company that has none of its own. */
const RATE = 50;
const TURNS = 2;
const REST_MS = 3_000;

type Scene = {
  readonly run: Run;
  readonly company: Company;
  readonly turn: number;
  /** Closed when the turn ends. */
  readonly opened: AsyncDisposableStack;
};

/** The request of this number in a window. */
type Move = (number: number) => Promise<unknown>;

type Prepared = {
  readonly move: Move;
  /** When the turn has ended: finds what the remedy should have prevented. */
  readonly judge?: () => void | Promise<void>;
};

type Misuse = {
  readonly name: string;
  /** What the company does, as the end of a sentence. */
  readonly does: string;
  /** Before each window. */
  readonly prepare: (scene: Scene) => Promise<Prepared>;
};

const numbers = Array.from({ length: ENDPOINTS }, (_, place) => place);
/** Of two requests in a row the first, and the second, for each endpoint in turn. */
const endpointOf = (ids: readonly string[], number: number) => ids[Math.floor(number / 2) % ENDPOINTS] ?? '';

async function receive({ opened, turn }: Scene, behaviour: Behaviour, place: number): Promise<Receiver> {
  // An address of its own: what an address gets is counted.
  const receiver = await startReceiver(behaviour, { host: `127.1.${turn}.${place}` });
  opened.defer(() => receiver.close());
  return receiver;
}

const replays: Misuse = {
  name: 'replays',
  does: 'changes the addresses of its endpoints at a stranger’s and asks for everything again',
  async prepare(scene) {
    const { company, run } = scene;
    const [takes, refuses] = [await receive(scene, answer(204), 1), await receive(scene, answer(404), 2)];
    const victims = [takes, refuses];
    const urlOf = (number: number) => `${victims[number % 2]?.url}/${number}`;
    const ids = await company.add(numbers.map(urlOf));
    await company.happen(150);
    return {
      move: (number) =>
        number % 2 === 0
          ? company.call('PATCH', `/${endpointOf(ids, number)}`, { url: urlOf(number / 2) })
          : company.call('POST', `/${endpointOf(ids, number)}/replay`, { since: '2026-01-01' }),
      judge() {
        // Those under way before the first was accepted, and a minute's; the rate cannot double sooner than each minute.
        const acceptedMax = ENDPOINTS + 1.1 * BUDGETS.perMinute * 2 ** Math.floor(run.seconds / 60);
        for (const [{ received }, max] of [
          [takes, acceptedMax] as const,
          [refuses, 1.1 * BUDGETS.unprovenPerHour] as const,
        ])
          if (received.length > max)
            run.tally.find('a receiver gets what its budget allows', `${received.length} of ${max}`);
      },
    };
  },
};

const MEMBERS = 10;
const NOTICES_A_DAY = 200;
const NOTICES = `
  select count(*)::int as times, (sum(count(*)) over ())::int as all from mails
   where turn = $1 and is_notice group by kind, subject_id, recipient, (created_at at time zone 'UTC')::date
   order by times desc limit 1`;

const gone: Misuse = {
  name: 'gone',
  does: 'with eleven members enables endpoints that say 410, and sends them tests',
  async prepare(scene) {
    const { company, run, turn } = scene;
    await run.stage.database.asSystem(async (tx) => {
      for (let number = 0; number < MEMBERS; number += 1) {
        const email = `member-${turn}-${number}@bench.example.com`;
        const userId = await createUser(tx, { email, firstName: 'Dev', lastName: 'Eloper' });
        await addMember(tx, company.tenantId, userId, 'developer');
      }
    });
    const { url, received } = await receive(scene, answer(410), 1);
    const ids = await company.add(numbers.map((place) => `${url}/${place}`));
    await company.happen(1);
    return {
      move: (number) =>
        number % 2 === 0
          ? company.call('PATCH', `/${endpointOf(ids, number)}`, { status: 'enabled' })
          : company.call('POST', `/${endpointOf(ids, number)}/test`),
      async judge() {
        // The event of each endpoint may have been under way when the first answer came.
        const events = received.filter(({ event }) => event.type !== 'webhook.test').length;
        if (events > ENDPOINTS) run.tally.find('after 410 nothing but tests is sent', `${events} events`);
        const [notices] = await run.stage.query<{ times: number; all: number }>(NOTICES, [company.tenantId]);
        if (!notices) return run.tally.find('members are told of a 410', 'nobody was');
        if (notices.times > 1) run.tally.find('a member is told of an endpoint once a day', `${notices.times} times`);
        if (notices.all > NOTICES_A_DAY) run.tally.find('notices of a company have a budget', `${notices.all} mails`);
      },
    };
  },
};

const INTERIM = Buffer.from('HTTP/1.1 102 P\r\n\r\n');
/** A second, over all connections. */
const INTERIM_BYTES = 40 * 1_024 * 1_024;
const ADDRESSES = 40;
const PACE_MS = 20;
const UNREAD_BYTES_MAX = 1_024 * 1_024;

/** Listens at many addresses, and sends whoever asks informational answers without end. Returns the addresses. */
async function sendInterims({ opened, turn }: Scene): Promise<string[]> {
  const asking = new Set<Socket>();
  const block = Buffer.concat(Array.from({ length: UNREAD_BYTES_MAX / 16 }, () => INTERIM));
  const timer = setInterval(() => {
    const each = Math.floor((INTERIM_BYTES * PACE_MS) / 1_000 / Math.max(1, asking.size) / INTERIM.length);
    for (const socket of asking)
      if (socket.writableLength < UNREAD_BYTES_MAX) socket.write(block.subarray(0, each * INTERIM.length));
  }, PACE_MS);
  opened.defer(() => clearInterval(timer));
  const urls: string[] = [];
  for (let place = 1; place <= ADDRESSES; place += 1) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).on('close', () => asking.delete(socket));
      socket.once('data', () => asking.add(socket));
    });
    await once(server.listen(0, `127.1.${turn}.${place}`), 'listening');
    opened.defer(() => {
      for (const socket of asking) socket.destroy();
      server.close();
    });
    const at = server.address();
    if (typeof at === 'object' && at) urls.push(`http://${at.address}:${at.port}/`);
  }
  return urls;
}

const informational: Misuse = {
  name: 'informational',
  does: 'has receivers that send informational answers (1xx) without end, and moves its endpoints among them',
  async prepare(scene) {
    const { company } = scene;
    const urls = await sendInterims(scene);
    const ids = await company.add(urls.slice(0, ENDPOINTS));
    return {
      // A failure pauses an endpoint until it moves to another host.
      move: (number) =>
        number % 2 === 0
          ? company.call('PATCH', `/${endpointOf(ids, number)}`, { url: urls[(number / 2) % urls.length] })
          : company.call('POST', `/${endpointOf(ids, number)}/test`),
    };
  },
};

const BLOCKED = 400_000;
const BLOCKED_OF_A_REPORT = 10;
const FILL_BLOCKED = `
  insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, credit_report_id,
                                  place_xact_id, place_event, next_attempt_at)
  select $1, gen_random_uuid(), endpoint, report || ' ' || place, 'credit-report.completed', '{}', 10, report, '1', place,
         case when place = 0 then now() + interval '1 hour' else 'infinity' end
    from unnest($2::uuid[]) as endpoint,
         lateral (select gen_random_uuid() as report from generate_series(1, $3::int) where endpoint is not null) as reports,
         generate_series(0, ${BLOCKED_OF_A_REPORT}) as place`;

const blocked: Misuse = {
  name: 'blocked',
  does: 'has 400,000 deliveries that wait for earlier ones of their reports, and disables and enables its endpoints',
  async prepare(scene) {
    const { company, run, opened } = scene;
    const { url, received } = await receive(scene, answer(500), 1);
    const ids = await company.add(numbers.map((place) => `${url}/${place}`));
    const session = await run.stage.openSession();
    await session.query('set session_replication_role = replica');
    await session.query(FILL_BLOCKED, [company.tenantId, ids, BLOCKED / BLOCKED_OF_A_REPORT / ENDPOINTS]);
    await session.query('vacuum analyze webhook_deliveries');
    // Nobody can add so many at once: writing them to the disk is not part of it.
    await session.query('checkpoint');
    opened.defer(async () => {
      await session.query('delete from webhook_deliveries where tenant_id = $1', [company.tenantId]);
      await session.query('vacuum webhook_deliveries');
      await session.end();
    });
    return {
      move(number) {
        const status = Math.floor(number / ENDPOINTS) % 2 === 0 ? 'disabled' : 'enabled';
        return company.call('PATCH', `/${ids[number % ENDPOINTS]}`, { status });
      },
      judge() {
        // The first of each report is due in an hour.
        if (received.length > 0)
          run.tally.find('enabling touches nothing that was not attempted', `${received.length} sent`);
      },
    };
  },
};

/** What a request may take longer to arrive than the next one. */
const SLACK_MS = 2_000;
/** Fewer than the attempts of a company that may be under way: a second one of a delivery would find a place. */
const HANGING = 5;

const resends: Misuse = {
  name: 'resends',
  does: 'asks again and again for deliveries that are under way, at receivers that hang',
  async prepare(scene) {
    const { company, run } = scene;
    const { url, received } = await receive(scene, () => undefined, 1);
    await company.add(numbers.slice(0, HANGING).map((place) => `${url}/${place}`));
    await company.happen(1);
    const list = () =>
      run.stage.query<{ id: string }>('select id from webhook_deliveries where tenant_id = $1', [company.tenantId]);
    let deliveries = await list();
    while (deliveries.length < HANGING) {
      await sleep(100);
      deliveries = await list();
    }
    return {
      move: (number) => company.call('POST', `/deliveries/${deliveries[number % HANGING]?.id}/resend`),
      judge() {
        // Each has one delivery, and an attempt at a receiver that hangs takes this long.
        for (const sent of Map.groupBy(received, ({ path }) => path).values()) {
          const [first, second] = sent;
          if (first && second && second.atMs - first.atMs < TIMEOUT_MS - SLACK_MS)
            run.tally.find('a delivery is attempted once at a time', `${sent.length} times in ${run.seconds} s`);
        }
      },
    };
  },
};

/** As many as there can be: 50 a day, for the month that they are kept. */
const DELETED = 1_550;

const creations: Misuse = {
  name: 'creations',
  does: 'creates and deletes endpoints, as it did for a month',
  async prepare({ company, run, opened }) {
    const { query } = run.stage;
    await query(
      `insert into webhook_endpoints (tenant_id, id, sealed_url, host, is_test, is_ordered, status, sealed_secret, deleted_at)
       select $1, gen_random_uuid(), '', '', true, false, 'deleted', '', now() from generate_series(1, $2::int)`,
      [company.tenantId, DELETED],
    );
    opened.defer(async () => {
      await query(`delete from webhook_endpoints where tenant_id = $1 and status = 'deleted'`, [company.tenantId]);
    });
    let last: string | undefined;
    let made = 0;
    return {
      async move(number) {
        if (number % 2 === 1) return last === undefined ? undefined : company.call('DELETE', `/${last}`);
        last = (await company.call('POST', '', { url: 'http://127.0.0.1:1024/' }))?.id;
        if (last !== undefined) made += 1;
      },
      judge() {
        if (made > BUDGETS.creationsPerDay)
          run.tally.find('a company makes so many endpoints a day', `${made} were made`);
      },
    };
  },
};

const COUNTS = `
  select (select count(*) from webhook_attempts where tenant_id = $1)::int as attempts,
         (select count(*) from mails)::int as mails`;

function scenarioOf({ name, does, prepare }: Misuse): Scenario {
  return {
    name: `misuse-${name}`,
    promise: `the webhooks of others arrive as before while a company ${does}`,
    wish: { hasReceivers: true },
    seconds: 12,
    async play(run) {
      const { stage, seconds, isShort } = run;
      const statuses = new Map<number, number>();
      const misusers = stage.tenants.slice(HEALTHY).values();
      const attempts: number[] = [];
      const mails: number[] = [];
      let opened = new AsyncDisposableStack();
      let company: Company | undefined;
      let prepared: Prepared = { move: async () => undefined };
      let misusing: Offer | undefined;
      const turns = {
        ...{ turns: isShort ? 1 : TURNS, seconds, restMs: REST_MS },
        async prepare() {
          const { value: tenant } = misusers.next();
          if (!tenant) throw new Error('there is no company left');
          opened = new AsyncDisposableStack();
          company = openCompany(stage, tenant, statuses);
          prepared = await prepare({ run, company, turn: attempts.length, opened });
        },
        begin() {
          misusing = offer({ ratePerSecond: RATE, send: prepared.move });
        },
        async end() {
          await misusing?.stop();
          await prepared.judge?.();
          const [counted] = await stage.query<{ attempts: number; mails: number }>(COUNTS, [company?.tenantId]);
          attempts.push(counted?.attempts ?? 0);
          mails.push(counted?.mails ?? 0);
          await company?.clear();
          await opened.disposeAsync();
        },
      };
      try {
        const figures = await besideDeliveries(run, () => alternate(stage.client, turns));
        return { ...figures, requests: Object.fromEntries(statuses), attempts, mails };
      } finally {
        await opened.disposeAsync();
      }
    },
  };
}

export const MISUSES_OF_WEBHOOKS: readonly Scenario[] = [
  ...[replays, gone, informational, blocked, resends, creations].map(scenarioOf),
];
