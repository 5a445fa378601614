// A careful client: every operation has an Idempotency-Key and is sent again with it until the answer is definite. A broken
// connection, an operation in progress and a 503 are not definite; every other answer is.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoTenant } from '../dev/seed.ts';
import type { Stretch } from './fleet.ts';
import { count, type Tally } from './tally.ts';

export type Operation = {
  readonly tenant: DemoTenant;
  /** Below the tenant's own path. */
  readonly path: string;
  readonly body: object;
  readonly key: string;
  readonly stretches: readonly Stretch[];
};

export type AnswerBody = {
  readonly code?: string;
  /** From a 503 after the report was reserved. */
  readonly creditReportId?: string;
  readonly meta?: { readonly wallet?: { readonly cost: number; readonly balance: number } };
  readonly data?: {
    readonly status?: string;
    readonly creditReportId?: string;
    readonly challenge?: { readonly challengeId: string };
  };
};

export type Answer = { readonly status: number; readonly body: AnswerBody; readonly isReplay: boolean };

/** Undefined when there was no definite answer in time, which is a finding. */
export type Client = (operation: Operation) => Promise<Answer | undefined>;

/** Where requests go: one of the nodes that are there. */
export type Nodes = { pick(stretches: readonly Stretch[]): { readonly baseUrl: string } | undefined };

/** One request and what came back; status 0 when the connection broke or nothing came in time. */
export type Heard = {
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly hasRetryAfter: boolean;
  readonly isReplay: boolean;
};

export const newKey = () => randomUUID();

const PATIENCE_MS = 300_000;
/** Two deadlines, the lease of a node that died, and the sweep. */
const LATE_MS = 90_000;
export const ANSWERED_LATE = 'every operation has its answer after 90 s';
/** Every request is answered within 20 s (docs/decisions/0139-deadlines.md): a slower node is dead or frozen. */
const ATTEMPT_MS_MAX = 25_000;
const FIRST_REST_MS = 100;
const REST_MS_MAX = 3_000;
const TOKEN_LIFE_MS = 600_000;
const NOBODY_MS = 100;

type Attempt = Answer | 'nobody' | 'cut';

/** The result of an attempt, for the finding about an operation without an answer. */
function nameOf(answer: Attempt): string {
  if (typeof answer === 'string') return answer;
  const { status, body } = answer;
  return [status, body.code, body.creditReportId === undefined ? '' : 'with its report'].filter(Boolean).join(' ');
}

const isOpen = ({ status, body }: Answer) => status >= 500 || (status === 409 && body.code === 'request-in-progress');

const isReplayed = (response: Response) => response.headers.get('idempotent-replayed') === 'true';

export type ClientOptions = {
  readonly onHeard?: (heard: Heard) => void;
  /** How long an operation is sent again. */
  readonly patienceMs?: number;
};

export function createClient(
  nodes: Nodes,
  tally: Tally,
  signal: AbortSignal,
  { onHeard = () => undefined, patienceMs = PATIENCE_MS }: ClientOptions = {},
): Client {
  const tokens = new Map<string, Promise<{ token: string; untilMs: number }>>();

  async function send(baseUrl: string, path: string, request: RequestInit) {
    const sentMs = performance.now();
    const tell = (status: number, response?: Response) =>
      onHeard({
        ...{ path, status, ms: performance.now() - sentMs },
        hasRetryAfter: response?.headers.has('retry-after') ?? false,
        isReplay: response !== undefined && isReplayed(response),
      });
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        ...request,
        method: 'POST',
        signal: AbortSignal.timeout(ATTEMPT_MS_MAX),
      });
      const text = await response.text();
      tell(response.status, response);
      return { response, text };
    } catch (error) {
      tell(0);
      throw error;
    }
  }

  async function askToken({ clientId, clientSecret }: DemoTenant, baseUrl: string) {
    const { response, text } = await send(baseUrl, '/v1/oauth/token', {
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = JSON.parse(text) as { access_token?: string };
    if (token === undefined) throw new Error(`no token: ${response.status}`);
    return { token, untilMs: performance.now() + TOKEN_LIFE_MS };
  }

  async function tokenOf(tenant: DemoTenant, baseUrl: string): Promise<string> {
    const { tenantId } = tenant;
    const kept = await tokens.get(tenantId);
    if (kept && kept.untilMs > performance.now()) return kept.token;
    const asked = askToken(tenant, baseUrl);
    tokens.set(tenantId, asked);
    // The node may have died during it: the next operation that needs a token asks again.
    asked.catch(() => tokens.delete(tenantId));
    return (await asked).token;
  }

  async function attempt({ tenant, path, body, key, stretches }: Operation, isFirst: boolean): Promise<Attempt> {
    // A retry goes to a node that is not about to die: otherwise all clients would crowd around each armed node.
    const node = nodes.pick(isFirst ? stretches : []);
    if (!node) return 'nobody';
    try {
      const token = await tokenOf(tenant, node.baseUrl);
      const { response, text } = await send(node.baseUrl, `/${tenant.tenantId}${path}`, {
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: JSON.parse(text) as AnswerBody, isReplay: isReplayed(response) };
    } catch {
      return 'cut';
    }
  }

  return async (operation) => {
    const startedMs = performance.now();
    let restMs = FIRST_REST_MS;
    const attempts: string[] = [];
    while (performance.now() - startedMs < patienceMs && !signal.aborted) {
      const sentMs = performance.now();
      const answer = await attempt(operation, restMs === FIRST_REST_MS);
      if (answer === 'nobody') {
        await sleep(NOBODY_MS);
        continue;
      }
      tally.requests += 1;
      attempts.push(`${nameOf(answer)} after ${((performance.now() - sentMs) / 1_000).toFixed(1)} s`);
      if (answer === 'cut') tally.cut += 1;
      else {
        count(tally.statuses, answer.status);
        if (answer.status >= 500 && answer.status !== 503) {
          tally.find('no answer is a 5xx but 503', `${operation.path}: ${answer.status} ${answer.body.code}`);
        }
        if (!isOpen(answer)) {
          tally.operations += 1;
          const waitedMs = performance.now() - startedMs;
          tally.longestWaitMs = Math.max(tally.longestWaitMs, waitedMs);
          if (waitedMs > LATE_MS) tally.find(ANSWERED_LATE, `${operation.path}: ${attempts.join(', ')}`);
          return answer;
        }
      }
      await sleep(restMs * (0.5 + Math.random()));
      restMs = Math.min(REST_MS_MAX, restMs * 2);
    }
    if (!signal.aborted) {
      const about = `${operation.path} of ${operation.tenant.tenantId}, key ${operation.key}`;
      tally.find('every operation gets a definite answer', `${about}: ${attempts.join(', ')}`);
    }
    return undefined;
  };
}
