// The shop of examples/web-shop as its reader runs it: in an empty folder, with the packed client library, as a process.
import { type ChildProcess, spawn } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createTrefoil } from '@trefoil/sdk';
import { freePort } from '../dev/free-port.ts';
import type { Demo } from '../dev/start-dev.ts';
import { run } from '../sdk-package/run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STAFF_PASSWORD = 'the password of the staff';
export const STAFF = { username: 'staff', password: STAFF_PASSWORD };
const FORMER_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

/** Returns the folder of the shop. Offline: the shop needs nothing but the client library. */
export async function installShop(work: string): Promise<string> {
  const folder = join(work, 'shop');
  await mkdir(folder);
  await cp(join(ROOT, 'examples/web-shop'), folder, {
    recursive: true,
    filter: (path) => !/node_modules|\.tgz$|\.env$|sqlite/.test(path),
  });
  await run('npm', ['pack', join(ROOT, 'sdk'), '--pack-destination', work], ROOT);
  const { version } = JSON.parse(await readFile(join(ROOT, 'sdk/package.json'), 'utf8')) as { version: string };
  await rename(join(work, `trefoil-sdk-${version}.tgz`), join(folder, `trefoil-sdk-${version}.tgz`));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], folder);
  return folder;
}

/** Against the packed types, as strictly as this repository: an outcome that the shop forgets does not compile. */
export async function compileShop(folder: string): Promise<void> {
  const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')], skipLibCheck: false };
  const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts', 'pages'], exclude: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', folder], folder);
}

export type Shop = Awaited<ReturnType<typeof startShop>>;

type ShopOptions = {
  readonly name: string;
  readonly isTest: boolean;
  /** Where the shop finds Trefoil. Its webhooks come from Trefoil itself. */
  readonly baseUrl: string;
};

export async function startShop(folder: string, demo: Demo, { name, isTest, baseUrl }: ShopOptions) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  // One by its name and one by its address: a company gets 60 messages a minute to one host at first, and live orders would
  // wait for the many test ones.
  const { address, family } = await lookup('localhost');
  const hooks = isTest ? `http://${family === 6 ? `[${address}]` : address}:${port}/webhooks` : `${url}/webhooks`;
  const { data } = await createTrefoil(demo).createWebhookEndpoint({ url: hooks, test: isTest });
  const { id, secret = '' } = data;
  const database = join(folder, `${name}.sqlite`);
  const settings = {
    TREFOIL_BASE_URL: baseUrl,
    TREFOIL_TENANT_ID: demo.tenantId,
    TREFOIL_CLIENT_ID: demo.clientId,
    TREFOIL_CLIENT_SECRET: demo.clientSecret,
    // As while the secret is being changed, and as people write lists.
    TREFOIL_WEBHOOK_SECRET: `${FORMER_SECRET}, ${secret}`,
    SHOP_MODE: isTest ? 'test' : 'live',
    SHOP_PORT: String(port),
    SHOP_STAFF_PASSWORD: STAFF_PASSWORD,
    SHOP_DATABASE: database,
  };
  const settingsPath = join(folder, `${name}.env`);
  await writeFile(
    settingsPath,
    Object.entries(settings)
      .map(([key, value]) => `${key}='${value}'\n`)
      .join(''),
  );
  const log: string[] = [];

  async function launch(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['server.ts', settingsPath], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
    const ready = once(createInterface({ input: child.stdout }), 'line');
    await Promise.race([
      ready,
      once(child, 'exit').then(() => Promise.reject(new Error(`the shop ended:\n${log.join('')}`))),
    ]);
    return child;
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  let child = await launch();
  const login = `Basic ${Buffer.from(`staff:${STAFF_PASSWORD}`).toString('base64')}`;
  return {
    url,
    endpoint: { id, secret },
    /** What the shop wrote for the people who look after it. */
    readLog: () => log.join(''),
    /** A page of the staff, as text, without the places where a line may break. */
    async readStaff(path: string): Promise<string> {
      const answer = await fetch(`${url}/staff/orders${path}`, { headers: { authorization: login } });
      return (await answer.text()).replaceAll('<wbr>', '');
    },
    /** As if the order had been made more than a day ago. */
    makeOld(orderId: string): void {
      const opened = new DatabaseSync(database);
      opened.prepare('update orders set createdAt = ? where id = ?').run('2026-01-01T00:00:00.000Z', orderId);
      opened.close();
    },
    /** As after a crash: nothing but the database survives. */
    async restart(): Promise<void> {
      await end(child);
      child = await launch();
    },
    stop: () => end(child),
  };
}
