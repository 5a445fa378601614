// Entry: starts the requested stand-ins, prints their addresses, ends on SIGTERM or SIGINT, or with its standard input.
import { join } from 'node:path';
import { startAwsKms } from './aws-kms/server.ts';
import { startCarrier } from './carrier/server.ts';
import { CREDENTIALS } from './credentials.ts';
import { startMail } from './mail/server.ts';
import { HELP, parseOptions, portsFrom, type RunOptions, type SimulatorName } from './options.ts';
import { startScreening } from './screening/server.ts';
import { startBureau } from './server.ts';
import { startVaultTransit } from './vault-transit/server.ts';

type Running = {
  readonly name: SimulatorName;
  readonly url: string;
  readonly smtpUrl?: string;
  close(): Promise<void>;
};

const closeAll = (running: readonly Running[]) => Promise.all(running.map((each) => each.close()));

async function run(options: RunOptions): Promise<void> {
  const running = await startAll(options);
  let stoppedAtMs: number | undefined;
  const stop = () => {
    // A group that is signalled, and npm forwarding the same signal, make two of one. A later one means: do not wait.
    if (stoppedAtMs !== undefined) {
      if (performance.now() - stoppedAtMs < 1_000) return;
      process.stderr.write('Signalled again: ended at once.\n');
      process.exit(1);
    }
    stoppedAtMs = performance.now();
    closeAll(running).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  if (options.isUntilEof) process.stdin.on('end', stop).resume();
  const inbox = running.filter(({ name }) => name === 'carrier').map(({ url }) => ['inbox', `${url}/inbox`] as const);
  const mail = running.flatMap(({ smtpUrl, url }) =>
    smtpUrl === undefined ? [] : [['smtp', smtpUrl] as const, ['mailInbox', `${url}/inbox`] as const],
  );
  const addresses = [...running.map(({ name, url }) => [name, url] as const), ...inbox, ...mail];
  if (!options.isJson) return console.log(addresses.map(([name, url]) => `${name.padEnd(13)}  ${url}`).join('\n'));
  const credentials = Object.fromEntries(running.map(({ name }) => [name, CREDENTIALS[name]]));
  console.log(JSON.stringify({ ...Object.fromEntries(addresses), credentials }));
}

async function startAll({ names, port, ...rest }: RunOptions): Promise<readonly Running[]> {
  const running: Running[] = [];
  try {
    const ports = portsFrom(port, names);
    for (const [place, name] of names.entries()) {
      running.push({ name, ...(await start(name, { ...rest, port: ports[place] ?? 0 })) });
    }
    return running;
  } catch (error) {
    // The ones that did start would keep the process alive.
    await closeAll(running);
    throw error;
  }
}

function start(name: SimulatorName, options: Omit<RunOptions, 'names' | 'isJson'>): Promise<Omit<Running, 'name'>> {
  const { port, latencyMs, keep } = options;
  const stateFile = keep === undefined ? undefined : join(keep, `${name}.json`);
  switch (name) {
    case 'screening':
      return startScreening({ port, latencyMs });
    case 'carrier':
      return startCarrier({ port, latencyMs });
    case 'mail':
      return startMail({ port });
    case 'aws-kms':
      return startAwsKms({ port, latencyMs, stateFile });
    case 'vault-transit':
      return startVaultTransit({ port, latencyMs, stateFile });
    case 'albion':
    case 'beacon':
    case 'cygnet':
      return startBureau({ ...options, bureau: name });
  }
}

const parsed = parseOptions(process.argv.slice(2));
switch (parsed.kind) {
  case 'help':
    process.stdout.write(HELP);
    break;
  case 'wrong':
    process.stderr.write(`${parsed.problem}\nFor help: node simulators/src/main.ts --help\n`);
    process.exitCode = 2;
    break;
  case 'run':
    await run(parsed.options).catch((error: unknown) => {
      process.stderr.write(
        `The simulators could not start: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      process.exitCode = 1;
    });
    break;
}
