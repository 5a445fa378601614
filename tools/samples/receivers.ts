// Runs the programs of examples/receivers as their readers would: posts good and bad messages to each, and lets a real server
// deliver to it. A language that is not installed is skipped, and named.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTrefoil } from '@trefoil/sdk';
import { newSecret, signedHeaders } from '../../server/src/webhooks/sign.ts';
import { freePort } from '../dev/free-port.ts';
import type { Demo } from '../dev/start-dev.ts';
import { ROOT, runCommand } from '../machine/run-command.ts';
import { eventually } from '../testing/eventually.ts';

type Command = readonly [string, ...string[]];

type Program = {
  readonly file: string;
  /** What must be installed, and the package of Debian that has it. */
  readonly needs: string;
  readonly from: string;
  readonly command: (path: string, port: number) => Command;
  /** Without its server, where that is another command. */
  readonly once?: (path: string) => Command;
};

const PROGRAMS: readonly Program[] = [
  { file: 'receiver.ts', needs: 'node', from: 'nodejs', command: (path) => [process.execPath, path] },
  { file: 'receiver.py', needs: 'python3', from: 'python3', command: (path) => ['python3', path] },
  {
    ...{ file: 'receiver.php', needs: 'php', from: 'php-cli' },
    command: (path, port) => ['php', '-S', `127.0.0.1:${port}`, path],
    once: (path) => ['php', path],
  },
  { file: 'receiver.go', needs: 'go', from: 'golang-go', command: (path) => ['go', 'run', path] },
  // Without the compiler, which is `javac`, `java` runs no source.
  { file: 'Receiver.java', needs: 'javac', from: 'default-jdk-headless', command: (path) => ['java', path] },
];

const BODY_MAX = 65_536;
/** Go compiles its standard library at the first start. */
const START_MS = 180_000;

const isInstalled = (program: string) =>
  spawnSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' }).status === 0;

const REPORT = '01998a3e-7c10-7b11-8c22-3d4e5f607182';
const LAST_STATUS = 'complete';

type Message = { readonly id: string; readonly body: string; readonly headers: Record<string, string> };

/** Its spaces and letters are lost by a program that parses the body and writes it again. */
const BODY = '{ "type":"webhook.test",  "data": {"name": "Zoë", "amount": 1.0} }';

function sign(id: string, secrets: readonly string[], { body = BODY, ageSeconds = 0 } = {}): Message {
  const sentAt = new Date(Date.now() - ageSeconds * 1_000);
  return { id, body, headers: signedHeaders({ id, body, sentAt }, secrets) };
}

/** The status; 0 if the connection ended without one, as it may while the sender is still sending. */
async function send(url: string, init: RequestInit): Promise<number> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(30_000), ...init });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

const post = (url: string, { body, headers }: Message) => send(url, { method: 'POST', body, headers });

/** In pieces, so that no header says how long it is. */
const postInPieces = (url: string, { body, headers }: Message) =>
  send(url, { method: 'POST', headers, body: new Blob([body]).stream(), duplex: 'half' } as RequestInit);

type Row = {
  readonly title: string;
  readonly ask: (url: string) => Promise<number | readonly number[]>;
  readonly statuses: readonly number[];
  /** The events that it must store; all other requests must leave nothing behind. */
  readonly stores?: readonly Message[];
};

function listRows(secret: string): Row[] {
  const other = newSecret();
  const good = sign('evt_0000000000000001', [secret]);
  const rotated = sign('evt_0000000000000002', [other, secret]);
  const late = sign('evt_0000000000000003', [secret], { ageSeconds: 240 });
  const longest = sign('evt_0000000000000004', [secret], {
    body: BODY + ' '.repeat(BODY_MAX - Buffer.byteLength(BODY)),
  });
  const doubled = sign('evt_0000000000000005', [secret]);
  const statusOf = (id: string, sequence: number, status: string) =>
    sign(id, [secret], { body: JSON.stringify({ type: '', sequence, data: { creditReportId: REPORT, status } }) });
  // As they are stored, the later one is neither the first nor the last.
  const inDisorder = [
    statusOf('evt_0000000000000011', 8, 'authentication-required'),
    statusOf('evt_0000000000000012', 10, LAST_STATUS),
    statusOf('evt_0000000000000013', 9, 'authentication-required'),
  ];
  const bad = (changes: object = {}) => sign('evt_000000000000000f', [secret], changes);
  const tooLong = bad({ body: 'a'.repeat(BODY_MAX + 1) });
  const refused = (title: string, message: Message): Row => ({
    ...{ title, ask: (url) => post(url, message), statuses: [400] },
  });
  const accepted = (title: string, message: Message): Row => ({
    ...{ title, ask: (url) => post(url, message), statuses: [204], stores: [message] },
  });
  return [
    accepted('a good message', good),
    { title: 'the same message again', ask: (url) => post(url, good), statuses: [204] },
    accepted('two signatures, of which the second is right', rotated),
    accepted('four minutes old', late),
    accepted('as long as a message may be', longest),
    {
      ...{ title: 'the same message twenty times at once', statuses: [204], stores: [doubled] },
      ask: (url) => Promise.all(Array.from({ length: 20 }, () => post(url, doubled))),
    },
    ...inDisorder.map((message) => accepted(`sequence ${JSON.parse(message.body).sequence}`, message)),
    refused('another secret', sign(bad().id, [other])),
    refused('a changed body', { ...bad(), body: `${BODY} ` }),
    refused('another id than the signed one', { ...bad(), headers: { ...bad().headers, 'webhook-id': 'evt_1' } }),
    refused('ten minutes old', bad({ ageSeconds: 600 })),
    refused('ten minutes ahead', bad({ ageSeconds: -600 })),
    refused('no headers', { ...bad(), headers: {} }),
    refused('no signature', { ...bad(), headers: { ...bad().headers, 'webhook-signature': '' } }),
    refused('an id that leads out of the folder', sign('../evt_outside', [secret])),
    { title: 'a body that is too long', ask: (url) => post(url, tooLong), statuses: [413, 0] },
    { title: 'such a body, of unknown length', ask: (url) => postInPieces(url, tooLong), statuses: [413, 411, 0] },
    { title: 'no POST', ask: (url) => send(url, {}), statuses: [405, 501] },
  ];
}

const listStored = (folder: string) => readdirSync(join(folder, 'received')).toSorted();

/** What is wrong with the answers to these requests, and with what is stored after each. */
async function checkRows(url: string, folder: string, rows: readonly Row[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { title, ask, statuses, stores = [] } of rows) {
    const before = listStored(folder);
    const answers = [await ask(url)].flat();
    const wrong = answers.filter((status) => !statuses.includes(status));
    if (wrong.length > 0) faults.push(`${title}: answered ${wrong.join(', ')} and not ${statuses.join(' or ')}`);
    const expected = [...before, ...stores.map(({ id }) => `${id}.json`)].toSorted();
    const stored = listStored(folder);
    if (stored.join() !== expected.join())
      faults.push(`${title}: has ${stored.join(', ')}, not ${expected.join(', ')}`);
    for (const { id, body } of stores.filter((each) => stored.includes(`${each.id}.json`))) {
      const text = readFileSync(join(folder, 'received', `${id}.json`), 'utf8');
      if (text !== body) faults.push(`${title}: stored other bytes than those that arrived`);
    }
  }
  return faults;
}

/** The status of the event with the highest sequence, in whatever order the events were stored. */
function checkStatuses([program, ...parameters]: Command, folder: string): string[] {
  const command = [`TREFOIL_WEBHOOK_SECRET=${newSecret()}`, program, ...parameters, 'statuses'];
  const { stdout, stderr } = spawnSync('env', command, { cwd: folder, encoding: 'utf8' });
  return stdout === `${REPORT} ${LAST_STATUS}\n` ? [] : [`statuses: printed ${JSON.stringify(stdout)}\n${stderr}`];
}

/** What cannot be stored must not be accepted, or it is lost. */
async function checkFullDisk(url: string, folder: string, secret: string): Promise<string[]> {
  rmSync(join(folder, 'received'), { recursive: true });
  writeFileSync(join(folder, 'received'), 'a file where the folder was');
  const status = await post(url, sign('evt_0000000000000006', [secret]));
  return status === 500 ? [] : [`a message that cannot be stored: answered ${status} and not 500`];
}

/** What a real server delivers, before and after a rotation of the secret. */
async function checkDeliveries(trefoil: ReturnType<typeof createTrefoil>, endpointId: string, folder: string) {
  const countTests = () => listStored(folder).filter((name) => name.startsWith('evt_test_')).length;
  const deliverTo = async (count: number) => {
    await trefoil.testWebhookEndpoint(endpointId);
    await eventually(() => {
      if (countTests() !== count) throw new Error(`${countTests()} delivered messages are stored and not ${count}`);
    });
  };
  await deliverTo(1);
  await trefoil.rotateWebhookSecret(endpointId);
  await deliverTo(2);
}

async function checkProgram(
  { file, command, once = (path) => command(path, 0) }: Program,
  demo: Demo,
  folder: string,
): Promise<string[]> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const trefoil = createTrefoil(demo);
  const { data } = await trefoil.createWebhookEndpoint({ url, test: true });
  const { id, secret = '' } = data;
  mkdirSync(folder, { recursive: true });
  const ending = new AbortController();
  let said = '';
  let hasEnded = false;
  const running = runCommand({
    command: ['env', '-C', folder, ...command(join(ROOT, 'examples/receivers', file), port)],
    environment: { TREFOIL_WEBHOOK_SECRET: secret, PORT: String(port) },
    output: (chunk) => {
      said += chunk.toString();
    },
    hasOwnGroup: false,
    signal: ending.signal,
  }).finally(() => {
    hasEnded = true;
  });
  try {
    const isUp = async () => hasEnded || (await send(url, {})) !== 0;
    await eventually(
      async () => {
        if (!(await isUp())) throw new Error('it does not answer');
      },
      { limitMs: START_MS, everyMs: 100 },
    );
    if (hasEnded) throw new Error('it ended at its start');
    // PHP has no start: it makes the folder with the first event.
    mkdirSync(join(folder, 'received'), { recursive: true });
    await checkDeliveries(trefoil, id, folder);
    const faults = await checkRows(url, folder, listRows(secret));
    faults.push(...checkStatuses(once(join(ROOT, 'examples/receivers', file)), folder));
    return [...faults, ...(await checkFullDisk(url, folder, secret))];
  } catch (error) {
    return [`${(error as Error).message}\n${said}`];
  } finally {
    ending.abort();
    await running;
    await trefoil.deleteWebhookEndpoint(id);
  }
}

/** What is wrong with each program; empty when all that can run do what their page says. */
export async function checkReceivers(demo: Demo, folder: string): Promise<string[]> {
  const all: string[] = [];
  for (const program of PROGRAMS) {
    const name = `examples/receivers/${program.file}`;
    if (!isInstalled(program.needs)) {
      console.log(`SKIPPED ${name}: ${program.needs} is not installed (Debian: ${program.from})`);
      continue;
    }
    const faults = await checkProgram(program, demo, join(folder, program.file));
    console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${name}`);
    all.push(...faults.map((fault) => `${name}: ${fault}`));
  }
  return all;
}
