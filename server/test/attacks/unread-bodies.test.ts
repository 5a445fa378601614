// Answers that come before a body was read, on raw sockets: afterwards the next request on the connection is answered, or
// the answer said `connection: close` and the connection is closed. A body is never taken for a request.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addCredential, goodClaims, signToken } from '../support/tokens.ts';
import { send } from '../support/wire.ts';

const MEGABYTE = 1024 * 1024;

let server: TestServer;
let token: string;
let foreignToken: string;
let newToken: string;
beforeAll(async () => {
  server = await startServer();
  token = await server.trefoil.getToken();
  foreignToken = await server.otherTrefoil.getToken();
  const credential = await addCredential(server, server.demo);
  newToken = await signToken(server, goodClaims(server, { ...server.demo, ...credential }));
});
afterAll(() => server.close());

type Answer = { readonly status: number; readonly closes: boolean };

/** One connection: what was answered on it, and whether it is still there. */
class Wire {
  readonly #socket: Socket;
  #text = '';
  #isClosed = false;

  constructor() {
    this.#socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
    this.#socket.on('data', (chunk) => {
      this.#text += chunk.toString('latin1');
    });
    this.#socket.on('close', () => {
      this.#isClosed = true;
    });
    // A server that closes while we write resets the connection; what came before counts.
    this.#socket.on('error', () => undefined);
  }

  async #until(isTrue: () => boolean, what: string): Promise<void> {
    await eventually(() => {
      if (!isTrue()) throw new Error(`${what} did not happen; so far: ${JSON.stringify(this.#text.slice(0, 300))}`);
    });
  }

  write(text: string): void {
    if (!this.#isClosed) this.#socket.write(text, 'latin1');
  }

  /** Reads one whole answer off the connection. */
  async answer(): Promise<Answer> {
    const head = () => this.#text.indexOf('\r\n\r\n');
    const length = () => Number(/\r\ncontent-length: (\d+)/i.exec(this.#text.slice(0, head() + 2))?.[1] ?? 0);
    await this.#until(
      () => this.#isClosed || (head() !== -1 && this.#text.length >= head() + 4 + length()),
      'an answer',
    );
    const lines = this.#text.slice(0, head() + 2);
    this.#text = this.#text.slice(head() + 4 + length());
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(lines)?.[1]);
    if (status === 100) return this.answer();
    return { status, closes: /\r\nconnection: close\r\n/i.test(lines) };
  }

  async closed(): Promise<void> {
    await this.#until(() => this.#isClosed, 'the close');
    expect(this.#text, 'more than one answer').toBe('');
  }

  end(): void {
    this.#socket.destroy();
  }
}

const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'b'.repeat(bytes)}\r\n`;
const LAST_CHUNK = '0\r\n\r\n';

/** What is sent with the head, and what is sent after the answer if the connection stays. */
type Body = { readonly header: string; readonly now: string; readonly later?: string };
const bodies: Record<string, Body> = {
  'a small body': { header: 'Content-Length: 20', now: 'b'.repeat(20) },
  'a body of 100 kB': { header: 'Content-Length: 102400', now: 'b'.repeat(102_400) },
  'half of a body of 100 kB': {
    header: 'Content-Length: 102400',
    now: 'b'.repeat(51_200),
    later: 'b'.repeat(51_200),
  },
  'a body of 1 MB': { header: `Content-Length: ${MEGABYTE}`, now: 'b'.repeat(MEGABYTE) },
  'a body that would be 100 MB': { header: `Content-Length: ${100 * MEGABYTE}`, now: 'b'.repeat(1_000) },
  'small chunks': { header: 'Transfer-Encoding: chunked', now: chunk(20) + LAST_CHUNK },
  'chunks of 1 MB': { header: 'Transfer-Encoding: chunked', now: chunk(16_384).repeat(63) + LAST_CHUNK },
  'chunks of 8 MB': { header: 'Transfer-Encoding: chunked', now: chunk(65_536).repeat(128) + LAST_CHUNK },
  'chunks that stop before their end': {
    header: 'Transfer-Encoding: chunked',
    now: chunk(16_384),
    later: LAST_CHUNK,
  },
};

type Early = {
  readonly statuses: readonly number[];
  readonly line: string;
  readonly headers: string;
  /** The body is read before the answer: so the answer waits for a body that has an end. */
  readonly isRead?: boolean;
};

const report = () => `/${server.demo.tenantId}/v1/credit-reports`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded\r\n';
const bearer = (value: string) => `Authorization: Bearer ${value}\r\n`;

const early: Record<string, () => Early> = {
  '401 without a token': () => ({ statuses: [401], line: `POST ${report()}`, headers: JSON_TYPE }),
  '401 with a bad token': () => ({ statuses: [401], line: `POST ${report()}`, headers: JSON_TYPE + bearer('x') }),
  '403 in another tenant': () => ({
    statuses: [403],
    line: `POST ${report()}`,
    headers: JSON_TYPE + bearer(foreignToken),
  }),
  '403 of a page, from another origin': () => ({ statuses: [403], line: 'POST /v1/auth/logout', headers: FORM_TYPE }),
  '404 nowhere': () => ({ statuses: [404], line: 'POST /nowhere', headers: JSON_TYPE }),
  '404 at an address that cannot be decoded': () => ({ statuses: [404], line: 'POST /%zz', headers: JSON_TYPE }),
  '401 to a client that asked before it sends': () => ({
    statuses: [401],
    line: `POST ${report()}`,
    headers: `${JSON_TYPE}Expect: 100-continue\r\n`,
  }),
  '405 where only GET is': () => ({ statuses: [405], line: 'POST /livez', headers: JSON_TYPE }),
  '415 in another type': () => ({
    statuses: [415],
    line: `POST ${report()}`,
    headers: `Content-Type: text/csv\r\n${bearer(token)}`,
  }),
  '415 in another coding': () => ({
    statuses: [415],
    line: `POST ${report()}`,
    headers: `${JSON_TYPE}Content-Encoding: gzip\r\n${bearer(token)}`,
  }),
  '400 or 413 of an operation': () => ({
    statuses: [400, 413],
    line: `POST ${report()}`,
    headers: JSON_TYPE + bearer(token),
    isRead: true,
  }),
  '400 for a query': () => ({ statuses: [400], line: `POST ${report()}?${'a&'.repeat(101)}`, headers: JSON_TYPE }),
  'the token endpoint': () => ({
    statuses: [400, 413],
    line: 'POST /v1/oauth/token',
    headers: FORM_TYPE,
    isRead: true,
  }),
  'the token endpoint, of another type': () => ({
    statuses: [400, 413],
    line: 'POST /v1/oauth/token',
    headers: JSON_TYPE,
    isRead: true,
  }),
  'the token endpoint, of no type': () => ({
    statuses: [400, 413],
    line: 'POST /v1/oauth/token',
    headers: '',
    isRead: true,
  }),
  'revoking a token': () => ({
    statuses: [400, 413],
    line: 'POST /v1/oauth/revoke',
    headers: FORM_TYPE,
    isRead: true,
  }),
  'a receipt where there is no carrier': () => ({
    statuses: [404],
    line: 'POST /v1/carriers/x/receipts',
    headers: FORM_TYPE,
  }),
  'a device that is collected': () => ({
    statuses: [400, 413],
    line: 'POST /v1/fingerprints/collections',
    headers: JSON_TYPE,
  }),
  '200 to a GET with a body': () => ({ statuses: [200], line: 'GET /livez', headers: '' }),
  '200 of the OAuth library to a GET with a body': () => ({
    statuses: [200],
    line: 'GET /v1/oauth/jwks',
    headers: '',
  }),
};

async function expectSettled({ statuses, line, headers, isRead = false }: Early, what: string): Promise<void> {
  const { header, now, later = '' } = bodies[what] as Body;
  const wire = new Wire();
  try {
    wire.write(`${line} HTTP/1.1\r\nHost: x\r\n${headers}${header}\r\n\r\n${now}`);
    if (isRead) wire.write(later);
    const answer = await wire.answer();
    expect(statuses).toContain(answer.status);
    if (answer.closes) {
      await wire.closed();
      return;
    }
    if (!isRead) wire.write(later);
    wire.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await wire.answer()).status).toBe(200);
  } finally {
    wire.end();
  }
}

describe.concurrent.each(Object.keys(early))('%s', (name) => {
  test.each(Object.keys(bodies))(
    '%s: the next request is answered, or the connection was said to close',
    async (what) => {
      await expectSettled((early[name] as () => Early)(), what);
    },
  );
});

test('an honest client keeps its connection: small bodies, whether or not their length was said', async () => {
  for (const what of ['a small body', 'small chunks', 'a body of 100 kB', 'chunks of 1 MB']) {
    const { header, now } = bodies[what] as Body;
    const wire = new Wire();
    for (let turn = 0; turn < 3; turn += 1) {
      wire.write(`POST ${report()} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}${header}\r\n\r\n${now}`);
      expect(await wire.answer(), what).toEqual({ status: 401, closes: false });
    }
    wire.end();
  }
});

test('429 of the token endpoint, to an address that guessed too often', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const guess = { method: 'POST', path: '/v1/oauth/token', headers };
  for (let count = 0; count < 11; count += 1) {
    await send(server.baseUrl, { ...guess, body: 'grant_type=client_credentials&client_id=x&client_secret=x' });
  }
  const locked: Early = { statuses: [429], line: 'POST /v1/oauth/token', headers: FORM_TYPE };
  await Promise.all(Object.keys(bodies).map((what) => expectSettled(locked, what)));
});

test('503 without the database', async () => {
  await server.query(`alter database "${server.databaseName}" with connection limit 0`);
  await server.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [server.databaseName],
  );
  // Of a credential that was not seen before: to know it takes the database.
  const away: Early = { statuses: [503], line: `POST ${report()}`, headers: JSON_TYPE + bearer(newToken) };
  await Promise.all(Object.keys(bodies).map((what) => expectSettled(away, what)));
  await server.query(`alter database "${server.databaseName}" with connection limit -1`);
});
