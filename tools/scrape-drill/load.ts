// The load of the drill: live reports, live challenges with their codes, test reports, and probes of /readyz, on all nodes in turn.
import { setTimeout as sleep } from 'node:timers/promises';
import { createDeviceSessions } from '../../server/src/fingerprints/device-session.ts';
import { findPerson } from '../dev/ask-simulators.ts';
import type { Installation } from './installation.ts';

export type Load = {
  /** How many answers of each kind there were. */
  readonly answers: ReadonlyMap<string, number>;
  /** From now on every consumer who is not challenged has this first part of the address, which decides what screening says. */
  challengeWith(email: string | undefined): void;
  /** From now on only the first node is used; all are still probed. */
  useFirstOnly(): void;
  stop(): Promise<void>;
};

const CLIENTS = 3;
const REST_MS = 60;
const PROBE_MS = 500;
const CODE_MS_MAX = 5_000;
const FACTS = {
  deviceDigest: 'a'.repeat(32),
  collectedAt: '2026-06-01T09:00:00.000Z',
  network: { ipAddress: '192.0.2.10', userAgentFamily: 'Chromium' },
};
const BUREAUS = ['equifax', 'experian', 'transunion'];

/** The carrier delivers to all of these (simulators/WIRE.md, section 7). */
const NUMBERS = 100;
/**
 * A number gets no more than four messages an hour, so all of them together 400: they must last for the five minutes of a drill on
 * any machine. After them each challenge would be a report that fails.
 */
const CHALLENGE_MS = 1_000;
const numberOf = (place: number) => `+4477009000${String(place % NUMBERS).padStart(2, '0')}`;

/** The code of the newest message to a number that was not read before. */
function createInbox(carrierUrl: string) {
  const read = new Set<string>();
  return async (to: string): Promise<string | undefined> => {
    const untilMs = performance.now() + CODE_MS_MAX;
    while (performance.now() < untilMs) {
      const response = await fetch(`${carrierUrl}/inbox.json?to=${encodeURIComponent(to)}`).catch(() => undefined);
      const messages = response?.ok ? ((await response.json()) as { sid: string; body: string }[]) : [];
      const unread = messages.find(({ sid }) => !read.has(sid));
      if (unread) {
        read.add(unread.sid);
        return /\b\d{6}\b/.exec(unread.body)?.[0];
      }
      await sleep(REST_MS);
    }
    return undefined;
  };
}

type Answer = {
  readonly data?: { readonly status?: string; creditReportId?: string; challenge?: { challengeId: string } };
};

export async function startLoad({ config, nodes, tenants, providers }: Installation): Promise<Load> {
  const { addresses } = providers;
  const person = await findPerson(addresses.albion, 'person-0001');
  const nextCode = createInbox(addresses.carrier);
  const sessions = createDeviceSessions(config.vaultKeys);
  const answers = new Map<string, number>();
  const stopping = new AbortController();
  let number = 0;
  let challenges = 0;
  let challengeFromMs = 0;
  let email: string | undefined;
  let used = nodes;

  async function post(node: string, tenant: (typeof tenants)[number], path: string, body: object): Promise<Answer> {
    const response = await fetch(`${node}/${tenant.tenantId}/v1/credit-reports${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    const answer = ((await response?.json().catch(() => undefined)) ?? {}) as Answer;
    const kind = answer.data?.status ?? String(response?.status ?? 'no answer');
    answers.set(kind, (answers.get(kind) ?? 0) + 1);
    return answer;
  }

  async function flow(place: number): Promise<void> {
    const node = used[place % used.length] ?? '';
    const tenant = tenants[place % tenants.length];
    if (!tenant) return;
    const consumer = { ...person, searchType: 'pcp', bureaus: BUREAUS, ipAddress: `2001:db8::${place.toString(16)}` };
    const seen = { ...consumer, sessionId: sessions.seal(FACTS, new Date()) };
    if (place % 10 === 9)
      await post(node, tenant, '', { ...consumer, sessionId: 'none', email: 'a@example.com', test: true });
    if (place % 3 !== 0 || performance.now() < challengeFromMs)
      return void (await post(node, tenant, '', { ...seen, email: `${email ?? 'allow'}@example.com` }));
    challengeFromMs = performance.now() + CHALLENGE_MS;
    const mobileNumber = numberOf(challenges++);
    const { data } = await post(node, tenant, '', { ...seen, email: 'challenge@example.com', mobileNumber });
    const code = data?.challenge && (await nextCode(mobileNumber));
    if (code === undefined || !data?.challenge) return;
    const { challengeId } = data.challenge;
    await post(node, tenant, `/${data.creditReportId}/otp-challenge`, { challengeId, code });
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!stopping.signal.aborted) {
      await flow(number++);
      await sleep(REST_MS);
    }
  });
  const probing = (async () => {
    while (!stopping.signal.aborted) {
      for (const node of nodes)
        await fetch(`${node}/readyz`).then(
          (each) => each.text(),
          () => undefined,
        );
      await sleep(PROBE_MS);
    }
  })();
  return {
    answers,
    challengeWith(wanted) {
      email = wanted;
    },
    useFirstOnly() {
      used = nodes.slice(0, 1);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...clients, probing]);
    },
  };
}
