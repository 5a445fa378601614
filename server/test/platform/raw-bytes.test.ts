// Bytes that no client library would send: broken HTTP, smuggled bodies, half requests. Whatever comes back must be whole
// HTTP answers with the published error body, and the server must live on.
import { METHODS } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { SEED } from '../support/seed.ts';
import { type Ending, type Reply, readError, send, sendBytes } from '../support/wire.ts';

const STREAMS = Number(process.env['TREFOIL_TEST_STREAMS'] ?? 500);

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  token = await server.trefoil.getToken();
});
afterAll(() => server.close());

/** Reads all answers of a connection; throws on bytes that are no answer. */
function readAnswers(bytes: Buffer): Reply[] {
  const answers: Reply[] = [];
  let rest = bytes.toString('latin1');
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    expect(status, `not an answer: ${JSON.stringify(rest.slice(0, 200))}`).toBeGreaterThan(99);
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: */, '')]),
    );
    const isChunked = headers['transfer-encoding'] === 'chunked';
    const length = isChunked ? rest.indexOf('0\r\n\r\n', end) + 5 - end - 4 : Number(headers['content-length'] ?? 0);
    const isInterim = status < 200;
    const text = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString();
    if (!isInterim) answers.push({ status, headers, text });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

async function ask(bytes: string | Buffer, ending?: Ending): Promise<Reply[]> {
  return readAnswers(await sendBytes(server.baseUrl, bytes, ending));
}

const isAlive = async () => (await send(server.baseUrl, { method: 'GET', path: '/livez' })).status === 200;

const HOST = 'Host: x\r\n';
const LAST = 'Connection: close\r\n';
const post = (headers: string, body: string, path = `/${server.demo.tenantId}/v1/credit-reports`) =>
  `POST ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const validPost = () => {
  const body = JSON.stringify(generateBody());
  return post(`Content-Length: ${body.length}`, body);
};
const form = (headers: string, body: string) =>
  `POST /v1/oauth/token HTTP/1.1\r\n${HOST}Content-Type: application/x-www-form-urlencoded\r\n${headers}\r\n\r\n${body}`;

/** The server waits for the rest, which does not come. */
const NO_REST: Ending = { patienceMs: 600 };

const refused: Record<string, [status: number, bytes: () => string, ending?: Ending]> = {
  'no HTTP at all': [400, () => 'hello\r\n\r\n'],
  'a TLS greeting': [400, () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  'an HTTP/2 preface': [400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  'an unknown method': [400, () => `FOO /livez HTTP/1.1\r\n${HOST}\r\n`],
  'an unknown version': [400, () => `GET /livez HTTP/9.9\r\n${HOST}\r\n`],
  'no host': [400, () => `GET /livez HTTP/1.1\r\n${LAST}\r\n`],
  'a space in the target': [400, () => `GET /li vez HTTP/1.1\r\n${HOST}\r\n`],
  'NUL in the target': [400, () => `GET /\0 HTTP/1.1\r\n${HOST}\r\n`],
  'NUL in a header': [400, () => `GET /livez HTTP/1.1\r\n${HOST}A: b\0c\r\n\r\n`],
  'a header without a colon': [400, () => `GET /livez HTTP/1.1\r\n${HOST}broken\r\n\r\n`],
  'a space before the colon': [400, () => `GET /livez HTTP/1.1\r\n${HOST}Content-Length : 3\r\n\r\nabc`],
  'a folded header': [400, () => `GET /livez HTTP/1.1\r\n${HOST}A: b\r\n c\r\n\r\n`],
  'two lengths': [400, () => post('Content-Length: 2\r\nContent-Length: 3', '{}')],
  'a negative length': [400, () => post('Content-Length: -1', '{}')],
  'a length in words': [400, () => post('Content-Length: two', '{}')],
  'a length with a plus': [400, () => post('Content-Length: +2', '{}')],
  'a length beyond all numbers': [400, () => post(`Content-Length: ${'9'.repeat(40)}`, '{}')],
  'a length beyond the limit': [413, () => post('Content-Length: 99999999', '{}')],
  'length and chunks together': [400, () => post('Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
  'chunks that are not last': [400, () => post('Transfer-Encoding: chunked, gzip', '0\r\n\r\n')],
  'a hidden chunked': [400, () => post('Transfer-Encoding: xchunked', '0\r\n\r\n')],
  'a chunk without a size': [400, () => post('Transfer-Encoding: chunked', 'zz\r\n')],
  'a chunk longer than said': [400, () => post('Transfer-Encoding: chunked', '2\r\n{"a":1}\r\n0\r\n\r\n')],
  'a chunk size beyond all numbers': [400, () => post('Transfer-Encoding: chunked', `${'f'.repeat(40)}\r\n{}\r\n`)],
  'chunks beyond the limit': [
    413,
    () => post('Transfer-Encoding: chunked', `40000\r\n${'x'.repeat(0x40000)}\r\n0\r\n\r\n`),
  ],
  'half a body': [400, () => post('Content-Length: 100', '{"a"'), NO_REST],
  'half a token request': [400, () => form('Content-Length: 100', 'grant_type'), NO_REST],
  'broken chunks to the token endpoint': [400, () => form('Transfer-Encoding: chunked', '5\r\na=bbb\r\nzz\r\n')],
  'half a head': [400, () => 'GET /livez HTTP/1.1\r\nHost:', NO_REST],
  'a header of 20 kB': [413, () => `GET /livez HTTP/1.1\r\n${HOST}A: ${'a'.repeat(20_000)}\r\n\r\n`],
  'a target of 20 kB': [413, () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
  '3,000 headers': [413, () => `GET /livez HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(3_000)}\r\n`],
  'an asterisk': [404, () => `OPTIONS * HTTP/1.1\r\n${HOST}${LAST}\r\n`],
  'an absolute target': [404, () => `GET http://x.example/nowhere HTTP/1.1\r\n${HOST}${LAST}\r\n`],
};

test.each(Object.entries(refused))('a published error: %s', async (_name, [status, bytes, ending]) => {
  const answers = await ask(bytes(), ending);
  expect(answers.map((answer) => answer.status)).toEqual([status]);
  for (const answer of answers) readError(answer, '/v1/oauth/');
  expect(await isAlive()).toBe(true);
});

// The router decodes an address before it looks for a route; what it hands on must still be answered by the route or
// refused in the published shape.
test.each([
  ['GET', '/v1/oauth/jwk%73'],
  ['POST', '/v1/oauth/%74oken'],
  ['GET', '/%2ewell-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-serve%72'],
  ['GET', '/v1/my/%70rofile'],
  ['GET', '/live%7a'],
])('%s %s, an address in disguise: the answer of the route or a published error', async (method, path) => {
  const reply = await send(server.baseUrl, { method, path });
  if (reply.status >= 400) readError(reply, path);
});

describe.each(['/livez', '/v1/my/profile', '/v1/oauth/token', '/v1/oauth/jwks'])('%s', (path) => {
  const served = path === '/v1/oauth/token' ? ['POST'] : path === '/v1/oauth/jwks' ? ['GET'] : ['GET', 'HEAD'];
  test.each(METHODS.filter((method) => ![...served, 'CONNECT'].includes(method)))(
    '405 method-not-allowed: %s',
    async (method) => {
      const reply = await send(server.baseUrl, { method, path });
      expect(reply.status).toBe(405);
      expect(reply.headers.allow).toBe(served.join(', '));
      if (method !== 'HEAD') expect(readError(reply, path).code).toBe('method-not-allowed');
    },
  );
});

test('pipelined requests are answered in their order', async () => {
  const paths = ['/livez', '/nowhere', '/v1/my/profile', '/readyz', '/livez'];
  const heads = paths.map((path) => `GET ${path} HTTP/1.1\r\n${HOST}`);
  const answers = await ask(`${heads.join('\r\n')}${LAST}\r\n`);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 200, 200]);
});

test('a body is never read as the next request', async () => {
  const hidden = `GET /livez HTTP/1.1\r\n${HOST}\r\n`;
  const answers = await ask(
    `POST /nowhere HTTP/1.1\r\n${HOST}Content-Length: ${hidden.length}\r\n\r\n${hidden}GET /readyz HTTP/1.1\r\n${HOST}${LAST}\r\n`,
  );
  expect(answers.map(({ status, text }) => [status, /alive/.test(text)])).toEqual([
    [404, false],
    [200, false],
  ]);
});

test('requests that hang up at any byte leave nothing behind', async () => {
  const count = async () => (await server.query<{ count: string }>('select count(*) from credit_reports'))[0]?.count;
  const before = await count();
  const bytes = validPost();
  const cuts = Array.from({ length: 60 }, (_, index) => Math.floor(((bytes.length - 1) * index) / 59));
  await Promise.all(cuts.map((cut) => sendBytes(server.baseUrl, bytes.slice(0, cut), { hangUp: true })));
  expect(await isAlive()).toBe(true);
  expect(await count()).toBe(before);
});

test('hang-ups by the client are not logged as failures of ours', async () => {
  const bytes = validPost();
  await Promise.all(Array.from({ length: 20 }, () => sendBytes(server.baseUrl, bytes.slice(0, -10), { hangUp: true })));
  expect(await isAlive()).toBe(true);
  expect(server.logText()).not.toContain('"level":"error"');
});

/** A good request with a few bytes replaced, dropped, doubled or added, or bytes from nowhere. */
const stream = fc.record({
  source: fc.constantFrom('get', 'post', 'form', 'none', 'two'),
  edits: fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      drop: fc.nat(8),
      add: fc.uint8Array({ maxLength: 8 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  noise: fc.uint8Array({ maxLength: 200 }),
  hangUp: fc.nat(9).map((draw) => draw === 0),
});

function bytesOf({
  source,
  edits,
  noise,
}: {
  source: string;
  edits: { at: number; drop: number; add: Uint8Array }[];
  noise: Uint8Array;
}): Buffer {
  const get = `GET /v1/my/profile HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n\r\n`;
  const sources: Record<string, string> = {
    get,
    post: validPost(),
    form: form('Content-Length: 29', 'grant_type=client_credentials'),
    two: `${get}${validPost()}`,
  };
  let bytes = sources[source] === undefined ? Buffer.from(noise) : Buffer.from(sources[source]);
  for (const { at, drop, add } of edits) {
    const from = Math.floor(at * bytes.length);
    bytes = Buffer.concat([bytes.subarray(0, from), add, bytes.subarray(from + drop)]);
  }
  return bytes;
}

test(`${STREAMS} bent byte streams: whole answers, published errors, no 5xx, and the server lives`, async () => {
  const judged = fc.asyncProperty(fc.array(stream, { minLength: 50, maxLength: 50 }), async (streams) => {
    await Promise.all(
      streams.map(async (each) => {
        const answers = readAnswers(
          await sendBytes(server.baseUrl, bytesOf(each), { hangUp: each.hangUp, patienceMs: 150 }),
        );
        for (const answer of answers) {
          expect(answer.status, answer.text).toBeLessThan(500);
          if (answer.status >= 400) readError(answer, '/v1/oauth/');
        }
      }),
    );
  });
  await fc.assert(judged, { numRuns: STREAMS / 50, seed: SEED });
  expect(await isAlive()).toBe(true);
}, 120_000);
