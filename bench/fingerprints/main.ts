// How many device sessions a second one process makes, over HTTP, with the network limit checked each time. Also shows
// that no request writes to the database, and fails if one does. Figures go to stdout, progress to stderr.
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { type LoadResult, runLoad } from '../speed/load.ts';
import { startNode } from '../speed/node-process.ts';
import { openStage, type Stage } from '../speed/stage.ts';

const USAGE = `Usage: npm run bench:fingerprints -- [options]

Measures POST /v1/fingerprints/collections on one process: from one network with its limit raised, then from ten
thousand networks with the limit as it comes, where each request asks Redis.

  --seconds N   length of each measurement (default 10)
  --help        this text`;

const BAR_PER_SECOND = 3_000;
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;
const NETWORKS = 10_000;
const BODY = JSON.stringify({
  deviceDigest: '3f0c9a7be1d24856a0f47c19d2b3e865',
  timeZone: 'Europe/London',
  automation: [],
  degraded: false,
});
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const GOOD = { status: 'HTTP/1.1 201', part: '"sessionId":"ds1.' };

const say = (line: string) => process.stderr.write(`${line}\n`);

function requestFrom(address: string): Buffer {
  return Buffer.from(
    `POST /v1/fingerprints/collections HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: https://tenant.example.com\r\n` +
      `user-agent: ${AGENT}\r\nx-forwarded-for: ${address}\r\ncontent-type: text/plain;charset=UTF-8\r\n` +
      `content-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`,
  );
}

/**
 * Rows written in this database since it was created. Not those of `hash_rings`: each process writes there that it runs and that it
 * has ended, whatever it is asked.
 */
async function countWrites(ownerUrl: string): Promise<number> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  const text = `select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) as writes from pg_stat_user_tables
    where relname <> 'hash_rings'`;
  const { rows } = await client.query<{ writes: string }>(text);
  await client.end();
  return Number(rows[0]?.writes);
}

async function measure(
  stage: Stage,
  name: string,
  addresses: readonly string[],
  options: { seconds: number; rate: string },
) {
  const node = await startNode({
    ...stage.environment,
    TREFOIL_COLLECTION_RATE: options.rate,
    TREFOIL_TRUSTED_PROXIES: '127.0.0.1',
    TREFOIL_JOBS: 'off',
  });
  try {
    const load = { ports: [Number(new URL(stage.baseUrl).port)], requests: addresses.map(requestFrom), good: GOOD };
    await runLoad({ ...load, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    const result = await runLoad({ ...load, connections: CONNECTIONS, seconds: options.seconds });
    return describe(name, result);
  } finally {
    await node.stop();
  }
}

function describe(name: string, { answered, refused, seconds, latenciesMs }: LoadResult): string {
  if (refused > 0) throw new Error(`${refused} requests got no session`);
  const p99 = latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN;
  return `${name.padEnd(34)}${(answered / seconds).toFixed(0).padStart(7)}/s   p99 ${p99.toFixed(1)} ms`;
}

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, help: { type: 'boolean', default: false } },
});
const seconds = Number(values.seconds);
if (values.help || !(seconds >= 1 && seconds <= 3_600)) {
  say(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const stage = await openStage(0);
  try {
    const before = await countWrites(stage.ownerUrl);
    say('one network');
    const one = await measure(stage, 'one network, its limit raised', ['192.0.2.1'], { seconds, rate: '1000000' });
    say('many networks');
    const many = Array.from({ length: NETWORKS }, (_, number) => `10.0.${number >> 8}.${number & 255}`);
    const spread = await measure(stage, `${NETWORKS} networks`, many, { seconds, rate: '50' });
    const written = (await countWrites(stage.ownerUrl)) - before;
    process.stdout.write(
      `${one}\n${spread}\nrows written to the database: ${written}   (goal: ≥ ${BAR_PER_SECOND}/s, 0 rows)\n`,
    );
    if (written > 0) process.exitCode = 1;
  } finally {
    await stage.close();
  }
}
