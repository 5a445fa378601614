// Receives webhooks of Trefoil with Node 24 alone: TREFOIL_WEBHOOK_SECRET=whsec_… node receiver.ts
// It verifies each message, stores it once, and answers. Your program works on what is stored, after the answer.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { link, unlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';

/** A message has a few hundred bytes. Anyone can post to this program, so it reads no more than this. */
const BODY_MAX = 65_536;
const TOLERANCE_SECONDS = 300;
const FOLDER = 'received';
const { TREFOIL_WEBHOOK_SECRET = '', PORT = '3000' } = process.env;

function readKey(secret: string): Buffer {
  const [, text = ''] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret) ?? [];
  const key = Buffer.from(text, 'base64');
  if (key.length === 0) throw new Error('TREFOIL_WEBHOOK_SECRET must be the secret of the endpoint: whsec_…');
  return key;
}
const key = readKey(TREFOIL_WEBHOOK_SECRET);

/** The bytes as they arrived: the signature is over these. Undefined if there are too many. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > BODY_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const headerOf = (headers: IncomingHttpHeaders, name: string) => String(headers[name] ?? '');

/** Why the message is refused; undefined if Trefoil signed it, and signed it just now. */
function findFault(headers: IncomingHttpHeaders, body: Buffer): string | undefined {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  // The id becomes the name of a file.
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) return 'webhook-id is missing or malformed';
  if (!/^[0-9]{1,11}$/.test(timestamp)) return 'webhook-timestamp is missing or malformed';
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) return 'webhook-timestamp is more than five minutes away';
  const hash = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${hash}`);
  // For a day after a rotation there are two signatures, one with each secret.
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .map((text) => Buffer.from(text));
  const isSigned = signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  return isSigned ? undefined : 'webhook-signature does not fit: another secret, or a changed body';
}

/** False if the event is there already: deliveries repeat. In your program: a table whose primary key is the id. */
async function storeOnce(id: string, body: Buffer): Promise<boolean> {
  const part = `${FOLDER}/${randomUUID()}.part`;
  try {
    await writeFile(part, body, { flush: true });
    // Unlike a write, a link is made whole or not at all, and only once.
    await link(part, `${FOLDER}/${id}.json`);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(part);
  }
}

async function receive(request: IncomingMessage): Promise<number> {
  if (request.method !== 'POST') return 405;
  const body = await readBody(request);
  if (!body) return 413;
  const fault = findFault(request.headers, body);
  if (fault) {
    console.log(`refused: ${fault}`);
    return 400;
  }
  const id = headerOf(request.headers, 'webhook-id');
  console.log(`${(await storeOnce(id, body)) ? 'stored' : 'seen before'}: ${id}`);
  return 204;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const status = await receive(request).catch((error: unknown) => {
    // Not stored, so not a 2xx: Trefoil sends it again.
    console.error(error);
    return 500;
  });
  response.writeHead(status, status === 413 ? { connection: 'close' } : {}).end();
}

/** Messages may overtake each other: of a report's events the one with the highest sequence is the last, in whatever order they came. */
function printStatuses(): void {
  const last = new Map<string, { sequence: number; status: string }>();
  for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.json'))) {
    const { sequence, data } = JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8'));
    if (data.status === undefined || sequence <= (last.get(data.creditReportId)?.sequence ?? -1)) continue;
    last.set(data.creditReportId, { sequence, status: data.status });
  }
  for (const [creditReportId, { status }] of last) console.log(`${creditReportId} ${status}`);
}

mkdirSync(FOLDER, { recursive: true });
if (process.argv[2] === 'statuses') {
  printStatuses();
} else {
  // A sender that is slower than this is not Trefoil.
  const limits = { requestTimeout: 10_000, headersTimeout: 10_000 };
  createServer(limits, (request, response) => void answer(request, response)).listen(Number(PORT), '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${PORT}`);
  });
}
