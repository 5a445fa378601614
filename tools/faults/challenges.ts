// Challenged consumers: a generate that needs a code, the message with the code, and the guesses.
import { setTimeout as sleep } from 'node:timers/promises';
import type { StageTenant } from '../../bench/speed/stage.ts';
import { createDeviceSessions } from '../../server/src/fingerprints/device-session.ts';
import { tenantRequest } from './client.ts';
import { parseBody } from './records.ts';
import type { Stage } from './stage.ts';
import type { Reply } from './wires.ts';

export type Challenge = {
  readonly tenant: StageTenant;
  readonly creditReportId: string;
  readonly challengeId: string;
  readonly code: string;
};

/** The result of a code: the status of the answer and what it says. */
export type Guess = { readonly status: number; readonly says: string | undefined; readonly ms: number };

/** Never the code of a message: codes are digits. */
export const WRONG_CODE = 'wrong1';

const FACTS = {
  deviceDigest: 'a'.repeat(32),
  collectedAt: '2026-06-01T09:00:00.000Z',
  network: { ipAddress: '192.0.2.10', userAgentFamily: 'Chromium' },
};
const CODE_MS_MAX = 60_000;
const LOOK_MS = 100;

type Message = { readonly body: string; readonly receipts: readonly { readonly answer: number | null }[] };

/** The code on the phone, once the carrier has also reported the delivery. */
async function readCode({ providers }: Stage, mobileNumber: string): Promise<string> {
  const url = `${providers.addresses.carrier}/inbox.json?to=${encodeURIComponent(mobileNumber)}`;
  const startedMs = performance.now();
  while (performance.now() - startedMs < CODE_MS_MAX) {
    const [newest] = (await (await fetch(url)).json()) as Message[];
    const code = newest && newest.receipts.length > 1 ? /\b\d{6}\b/.exec(newest.body)?.[0] : undefined;
    if (code !== undefined) return code;
    await sleep(LOOK_MS);
  }
  throw new Error('no message came');
}

let numbers = 0;

export async function challenge(stage: Stage, tenant: StageTenant): Promise<Challenge> {
  // Numbers whose messages arrive at once, each for one consumer: this does not test the caps of a number.
  const mobileNumber = `+4477009000${String(numbers++ % 100).padStart(2, '0')}`;
  const sessionId = createDeviceSessions(stage.config.vaultKeys).seal(FACTS, new Date());
  const changes = { email: 'challenge@example.com', mobileNumber, sessionId };
  const { creditReportId, challengeId, reportStatus } = await stage.client.generate(tenant, { changes });
  if (creditReportId === undefined || challengeId === undefined) throw new Error(`not challenged: ${reportStatus}`);
  return { tenant, creditReportId, challengeId, code: await readCode(stage, mobileNumber) };
}

function toGuess(reply: Reply): Guess {
  const { data, code } = parseBody(reply);
  return { status: reply.status, says: data?.status ?? code, ms: reply.ms };
}

export async function guess({ client }: Stage, challenged: Challenge, code: string): Promise<Guess> {
  const { tenant, creditReportId, challengeId } = challenged;
  const path = `/v1/credit-reports/${creditReportId}/otp-challenge`;
  return toGuess(await client.ask(tenantRequest(tenant, path, { challengeId, code })));
}
