// The tenants' own systems: they send generates as prepared bytes over raw connections and record every answer.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerateRequest } from '@trefoil/contract';
import type { StageTenant } from '../../bench/speed/stage.ts';
import { type Operation, type Told, toTold, type Window } from './records.ts';
import { openWires, type Reply } from './wires.ts';

export type Person = Pick<GenerateRequest, 'firstName' | 'lastName' | 'dateOfBirth' | 'addresses'>;

export type GenerateOptions = {
  readonly bureaus?: GenerateRequest['bureaus'];
  readonly key?: string;
  readonly changes?: Partial<GenerateRequest>;
};

export type Client = {
  readonly operations: readonly Operation[];
  /** The window that requests sent from now on belong to. */
  window: Window;
  generate(tenant: StageTenant, options?: GenerateOptions): Promise<Told>;
  /** Repeats with one key until the answer is definite: a broken connection, "in progress" and a 503 are sent again. */
  generateUntilDefinite(tenant: StageTenant, patienceMs: number, options?: GenerateOptions): Promise<Operation>;
  ask(request: Buffer, patienceMs?: number): Promise<Reply>;
  close(): void;
};

/** Longer than any deadline that the service promises, so that a late answer is seen as late and not as missing. */
export const PATIENCE_MS = 25_000;
const REST_MS = 300;
const ALL_BUREAUS = ['equifax', 'experian', 'transunion'] as const;

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export function requestBytes({ method, path, headers, body = '' }: HttpRequest): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${body}`);
}

/** A request of a tenant's own system; `path` is relative to the tenant's. */
export function tenantRequest(
  { tenantId, token }: StageTenant,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const allHeaders = { authorization: `Bearer ${token}`, ...headers };
  if (!body) return requestBytes({ method: 'GET', path: `/${tenantId}${path}`, headers: allHeaders });
  return requestBytes({
    method: 'POST',
    path: `/${tenantId}${path}`,
    headers: { ...allHeaders, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Not definite: the same request with its key can still get another answer. */
export const isOpen = ({ status, code }: Told) => status === 0 || status >= 500 || code === 'request-in-progress';

export function openClient(port: number, people: readonly Person[]): Client {
  const wires = openWires(port);
  const operations: Operation[] = [];

  /** Every consumer has their own network, so that sightings of one say nothing about the next. */
  function prepare(tenant: StageTenant, { bureaus = [...ALL_BUREAUS], key, changes }: GenerateOptions) {
    const number = operations.length;
    const reference = `fault-${number}`;
    const person = people[number % people.length];
    const ipAddress = `2001:db8:${Math.floor(number / 50_000).toString(16)}:${(number % 50_000).toString(16)}::1`;
    const body = { sessionId: 'none', searchType: 'pcp', email: 'allow@example.com', ...person, ...changes };
    const operation: Operation = { tenantId: tenant.tenantId, reference, bureaus, answers: [] };
    operations.push(operation);
    const bytes = tenantRequest(
      tenant,
      '/v1/credit-reports',
      { ...body, bureaus, ipAddress, externalReference: reference },
      key === undefined ? {} : { 'idempotency-key': key },
    );
    return { operation, bytes };
  }

  async function attempt(operation: Operation, bytes: Buffer): Promise<Told> {
    const { window } = client;
    const atMs = performance.now();
    const told = toTold(await wires.ask(bytes, PATIENCE_MS), atMs, window);
    operation.answers.push(told);
    return told;
  }

  const client: Client = {
    operations,
    window: 'rest',
    async generate(tenant, options = {}) {
      const { operation, bytes } = prepare(tenant, options);
      return attempt(operation, bytes);
    },
    async generateUntilDefinite(tenant, patienceMs, options = {}) {
      const { operation, bytes } = prepare(tenant, { key: randomUUID(), ...options });
      const startedMs = performance.now();
      while (isOpen(await attempt(operation, bytes))) {
        if (performance.now() - startedMs > patienceMs) break;
        await sleep(REST_MS);
      }
      return operation;
    },
    ask: (request, patienceMs = PATIENCE_MS) => wires.ask(request, patienceMs),
    close: () => wires.close(),
  };
  return client;
}
