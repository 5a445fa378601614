// One challenged live report through a real server, with simulators of all other companies, a receiver of webhooks and a
// collector: returns the spans of its trace.
import { setTimeout as wait } from 'node:timers/promises';
import { openStage, type Stage } from '../../bench/speed/stage.ts';
import { createApp } from '../../server/src/app.ts';
import { loadConfig } from '../../server/src/config.ts';
import { createDeviceSessions } from '../../server/src/fingerprints/device-session.ts';
import { contextOf } from '../../server/src/lib/traces/tracer.ts';
import {
  attributesOf,
  type CollectedSpan,
  type Collector,
  startCollector,
} from '../../server/test/support/collector.ts';
import { startReceiver } from '../../server/test/support/receiver.ts';
import { findPerson, type SimulatorAddresses } from '../dev/ask-simulators.ts';
import { startProviders } from '../dev/simulated-providers.ts';

const TRIES_MAX = 600;
const POLL_MS = 50;
/** As long as a person takes to type a code, in a hurry. */
const TYPING_MS = 1_500;

async function until<T>(find: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = await find();
    if (found !== undefined) return found;
    await wait(POLL_MS);
  }
  throw new Error(`There is no ${what}.`);
}

type Call = (path: string, body: object) => Promise<Record<string, unknown>>;

function callerOf({ hot }: Stage, baseUrl: string): Call {
  return async (path, body) => {
    const reply = await fetch(`${baseUrl}/${hot.tenantId}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hot.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`);
    return ((await reply.json()) as { data: Record<string, unknown> }).data;
  };
}

async function findCode({ carrier }: SimulatorAddresses, to: string): Promise<string | undefined> {
  const reply = await fetch(`${carrier}/inbox.json?to=${encodeURIComponent(to)}`);
  const found = (await reply.json()) as { body: string }[] | { messages: { body: string }[] };
  const [newest] = Array.isArray(found) ? found : found.messages;
  return newest && /\b\d{6}\b/.exec(newest.body)?.[0];
}

type Actors = {
  readonly call: Call;
  readonly addresses: SimulatorAddresses;
  readonly sessionId: string;
  readonly mobileNumber: string;
};

async function makeReport({ call, addresses, sessionId, mobileNumber }: Actors, person: string): Promise<string> {
  const { creditReportId, challenge } = (await call('credit-reports', {
    ...(await findPerson(addresses.albion, person)),
    email: 'challenge@example.com',
    mobileNumber,
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress: '192.0.2.10',
    searchType: 'pcp',
    sessionId,
  })) as { creditReportId: string; challenge: { challengeId: string } };
  const code = await until(() => findCode(addresses, mobileNumber), 'message');
  await wait(TYPING_MS);
  await call(`credit-reports/${creditReportId}/otp-challenge`, { challengeId: challenge.challengeId, code });
  return creditReportId;
}

const isLast = (span: CollectedSpan) =>
  span.name === 'webhook' && attributesOf(span)['trefoil.event.type'] === 'credit-report.completed';

async function traceReport(stage: Stage, collector: Collector): Promise<CollectedSpan[]> {
  const providers = await startProviders();
  const receiver = await startReceiver();
  const environment = {
    ...{ ...stage.environment, ...providers.environment },
    TREFOIL_TRACES: JSON.stringify({ baseUrl: collector.url, ratio: 1 }),
    TREFOIL_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const config = loadConfig(environment);
  const app = await createApp(config);
  try {
    const { address } = await app.listen();
    const call = callerOf(stage, address);
    await call('webhook-endpoints', { url: receiver.url });
    const sessions = createDeviceSessions(config.vaultKeys);
    const now = new Date();
    const network = { ipAddress: '192.0.2.10', userAgentFamily: null };
    const seal = () => sessions.seal({ deviceDigest: 'a'.repeat(32), collectedAt: now.toISOString(), network }, now);
    const actors = (mobileNumber: string) => ({
      call,
      addresses: providers.addresses,
      sessionId: seal(),
      mobileNumber,
    });
    // The first report of a process is slower than any other: it is not the picture's.
    await makeReport(actors('+447700900141'), 'person-0002');
    await wait(TYPING_MS);
    const { traceId } = contextOf(await makeReport(actors('+447700900142'), 'person-0007'));
    const own = () => collector.spans().filter((span) => span.traceId === traceId);
    await until(() => own().find(isLast), 'webhook');
    // What ends after the webhook arrives with the next batch.
    await wait(TYPING_MS);
    return own();
  } finally {
    await app.close();
    await receiver.close();
    await providers.stop();
  }
}

export async function runReport(): Promise<CollectedSpan[]> {
  const stage = await openStage(0);
  const collector = await startCollector();
  try {
    return await traceReport(stage, collector);
  } finally {
    await collector.close();
    await stage.close();
  }
}
