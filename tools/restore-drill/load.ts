// The load of a drill: the flows of the chaos run, top-ups beside them, and reports that are at the bureaus at a chosen moment.
// Every answer is written down with its times.
import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerateRequest } from '@trefoil/contract';
import { Random } from '../../bench/merge/random.ts';
import { createDeviceSessions } from '../../server/src/fingerprints/device-session.ts';
import { newId } from '../../server/src/lib/ids.ts';
import { isHeldUp, isUnavailable } from '../../server/src/lib/postgres/unavailable.ts';
import { type Answer, type Client, createClient, newKey, type Operation } from '../chaos/client.ts';
import { createFlow } from '../chaos/flows.ts';
import { startLoad } from '../chaos/load.ts';
import { meetPeople, type Person } from '../chaos/people.ts';
import { createPhones, type Phone, type Phones } from '../chaos/phones.ts';
import type { Tally } from '../chaos/tally.ts';
import { BUREAU_PARTS, findPerson } from '../dev/ask-simulators.ts';
import type { DemoTenant } from '../dev/seed.ts';
import type { Told } from './acknowledged.ts';
import { type Connected, creditTenant, type Nodes, type Stage } from './stage.ts';

/** A finding about the drill itself. */
export const LOAD_RUNS = 'the load runs';
const FLOWS_PER_SECOND = 6;
const TOP_UP_MS = 300;
const TOP_UP_CREDITS = 4_000;
const REPORTS_PATH = '/v1/credit-reports';
const CODE = /^\d{6}$/;
const FACTS = {
  deviceDigest: 'a'.repeat(32),
  collectedAt: '2026-06-01T09:00:00.000Z',
  network: { ipAddress: '192.0.2.10', userAgentFamily: 'Chromium' },
};

type Data = NonNullable<Answer['body']['data']> & { readonly creditReport?: unknown };

/** What an answer acknowledges; undefined for a refusal. */
export function toTold(
  { tenant, path, body, key }: Operation,
  answer: Answer,
): Omit<Told, 'sentAtMs' | 'ackedAtMs'> | undefined {
  const data = answer.body.data as Data | undefined;
  if (answer.status !== 200 || !data) return undefined;
  const [, id, action] = /^\/v1\/credit-reports(?:\/([^/]+)\/([^/]+))?$/.exec(path) ?? [];
  const { status = '', creditReport } = data;
  const about = { tenantId: tenant.tenantId, status, creditReport };
  if (id === undefined) {
    const { creditReportId } = data;
    if (creditReportId === undefined) return undefined;
    const credits = answer.body.meta?.wallet?.cost ?? Number.NaN;
    const challengeId = data.challenge?.challengeId;
    return { ...about, kind: 'generate', id: creditReportId, creditReportId, credits, challengeId };
  }
  const named = { ...about, id: key, creditReportId: id, credits: 0 };
  if (action === 'resend-sms') return { ...named, kind: 'resend' };
  return { ...named, kind: CODE.test((body as { code?: string }).code ?? '') ? 'right' : 'wrong' };
}

function recordAnswers(client: Client, told: Told[]): Client {
  return async (operation) => {
    const sentAtMs = Date.now();
    const answer = await client(operation);
    const acknowledged = answer && toTold(operation, answer);
    if (acknowledged) told.push({ ...acknowledged, sentAtMs, ackedAtMs: Date.now() });
    return answer;
  };
}

/** The consumers of a drill, who outlive a restore. */
export type People = {
  readonly random: Random;
  readonly nextPerson: () => Person;
  /** Their bureaus take SLOW_MS each. */
  readonly slow: readonly Person[];
  mintSession(): string;
};

const SLOW_MS = 8_000;
/** Beyond the people of the chaos run. */
const SLOW_PEOPLE = ['person-0901', 'person-0902', 'person-0903', 'person-0904', 'person-0905', 'person-0906'];

export async function gatherPeople({ providers, config }: Stage, seed: number): Promise<People> {
  const random = new Random(seed);
  const { addresses } = providers;
  const nextPerson = await meetPeople(addresses, random);
  const slow: Person[] = [];
  for (const person of SLOW_PEOPLE) {
    slow.push(await findPerson(addresses.albion, person));
    for (const bureau of Object.values(BUREAU_PARTS)) {
      const body = JSON.stringify({ match: { person }, behaviour: `slow=${SLOW_MS}` });
      const { status } = await fetch(`${addresses[bureau]}/control`, { method: 'POST', body });
      if (status !== 201) throw new Error(`a simulator refused the rule ${body}`);
    }
  }
  const sessions = createDeviceSessions(config.vaultKeys);
  return { random, nextPerson, slow, mintSession: () => sessions.seal(FACTS, new Date()) };
}

export type DrillLoad = {
  readonly told: readonly Told[];
  /** For operations beside the flows. */
  readonly client: Client;
  readonly phones: Phones;
  /** Begins nothing more. What is under way is answered or given up; nothing is sent again. */
  stop(): Promise<void>;
};

type Scene = { readonly stage: Stage; readonly people: People; readonly connected: Connected; readonly nodes: Nodes };

function startTopUps({ stage, connected }: Scene, told: Told[], signal: AbortSignal, tally: Tally): Promise<void> {
  const tenant = stage.tenants[1];
  return (async () => {
    while (!signal.aborted) {
      const [sourceId, sentAtMs] = [newId(), Date.now()];
      try {
        await creditTenant(connected, tenant, { credits: TOP_UP_CREDITS, sourceId });
        const named = { id: sourceId, tenantId: tenant.tenantId, creditReportId: '', credits: TOP_UP_CREDITS };
        told.push({ ...named, kind: 'top-up', status: 'posted', sentAtMs, ackedAtMs: Date.now() });
      } catch (error) {
        // The cluster may be gone already, or the wallet busy for too long; nothing was acknowledged then.
        await sleep(TOP_UP_MS);
        if (signal.aborted || isHeldUp(error) || isUnavailable(error)) continue;
        tally.find('every top-up is posted', String(error));
      }
      await sleep(TOP_UP_MS);
    }
  })();
}

export function startDrillLoad(scene: Scene, tally: Tally): DrillLoad {
  const { stage, people, nodes } = scene;
  const told: Told[] = [];
  const over = new AbortController();
  const isEnding = () => load.isEnding();
  const client = recordAnswers(createClient(nodes, tally, over.signal), told);
  const phones = createPhones(stage.providers.addresses.carrier, people.random, over.signal);
  const flow = createFlow({ ...people, phones, client, tally, isEnding, records: new Map(), tenants: stage.tenants });
  const load = startLoad(flow, FLOWS_PER_SECOND, (error) => tally.find(LOAD_RUNS, String(error)));
  const toppingUp = startTopUps(scene, told, over.signal, tally);
  return {
    ...{ told, client, phones },
    async stop() {
      over.abort();
      await Promise.all([load.stop(), toppingUp]);
    },
  };
}

const CODE_PATIENCE_MS = 8_000;
/** Of the slow people, this many are challenged first, so that their report is fetched after the code. */
const CHALLENGED = 2;
/** How long before the moment they are sent: the request has reached the bureaus by then, and they have not answered. */
const EARLIER_MS = 3_000;

const sleepUntil = (atMs: number) => sleep(Math.max(0, atMs - Date.now()));

export type InFlight = { readonly answered: Promise<unknown> };

function generateOf(tenant: DemoTenant, person: Person, people: People, phone: Phone | undefined): Operation {
  const key = newKey();
  const body: GenerateRequest = {
    ...person,
    sessionId: people.mintSession(),
    email: phone ? 'challenge@example.com' : 'allow@example.com',
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress: '192.0.2.10',
    searchType: 'pcp',
    externalReference: key,
    ...(phone && { mobileNumber: phone.number }),
  };
  return { tenant, path: REPORTS_PATH, body, key, stretches: [] };
}

async function lendReached({ phones }: DrillLoad): Promise<Phone> {
  for (;;) {
    const phone = await phones.lend();
    if (phone.isReached) return phone;
    phone.giveBack();
  }
}

/** Sends reports that are at the bureaus at this moment: some at once, some after a right code. */
export function aimAt(atMs: number, { stage, people }: Scene, load: DrillLoad): InFlight {
  const { client } = load;
  const [tenant] = stage.tenants;
  async function fetchAfterCode(person: Person): Promise<void> {
    const phone = await lendReached(load);
    try {
      const generated = await client(generateOf(tenant, person, people, phone));
      const { creditReportId, challenge } = generated?.body.data ?? {};
      const code = challenge && (await phone.nextCode(CODE_PATIENCE_MS));
      if (!challenge || code === undefined) return;
      await sleepUntil(atMs - EARLIER_MS);
      const body = { challengeId: challenge.challengeId, code };
      const path = `${REPORTS_PATH}/${creditReportId}/otp-challenge`;
      await client({ tenant, path, body, key: newKey(), stretches: [] });
    } finally {
      phone.giveBack();
    }
  }
  async function fetchAtOnce(person: Person): Promise<void> {
    await sleepUntil(atMs - EARLIER_MS);
    await client(generateOf(tenant, person, people, undefined));
  }
  const sent = people.slow.map((person, place) => (place < CHALLENGED ? fetchAfterCode(person) : fetchAtOnce(person)));
  return { answered: Promise.all(sent) };
}
