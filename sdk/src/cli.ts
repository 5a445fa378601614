#!/usr/bin/env node
// The command line of the package: `npx @trefoil/sdk listen --forward-to URL`, `npx @trefoil/sdk trigger TYPE`.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createTrefoil, TrefoilError, TrefoilNoAnswerError, TrefoilWebhookError, webhooks } from './index.ts';
import { listen } from './listen.ts';
import { TRIGGERS, trigger } from './trigger.ts';

const HELP = `Usage: npx @trefoil/sdk listen --forward-to URL [options]
       npx @trefoil/sdk trigger TYPE [options]

listen forwards the events of test mode to a program on this machine as signed webhooks, as the service would send them.
Press Enter to send the last one again, or type the id of another and press Enter.
trigger makes an event of this type happen in test mode, by a report that causes it, or by filling the test wallet
(wallet.adjusted). Others come with it.

  --forward-to URL   where your program receives webhooks, such as http://localhost:3000/webhooks
  --types LIST       only these types, with commas, such as credit-report,challenge.sent
  --base-url URL     the address of the service       (or TREFOIL_BASE_URL)
  --tenant ID        the tenant                       (or TREFOIL_TENANT_ID)
  --client-id ID     a credential with events:read, to trigger with reports:write    (or TREFOIL_CLIENT_ID)
  --help             this text

TYPE is one of ${TRIGGERS.join(', ')}.

TREFOIL_CLIENT_SECRET is the secret of the credential. TREFOIL_WEBHOOK_SECRET is the signing secret (whsec_…); without it
a new one is made for each run and printed.

Exit code: 0 ended with Ctrl+C, 1 the service refused, 2 wrong usage.`;

const NAMES = {
  'base-url': 'TREFOIL_BASE_URL',
  tenant: 'TREFOIL_TENANT_ID',
  'client-id': 'TREFOIL_CLIENT_ID',
} as const;

class UsageError extends Error {}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const options = {
    'forward-to': text,
    types: text,
    'base-url': text,
    tenant: text,
    'client-id': text,
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readOptions(parameters: string[]) {
  const { values, positionals } = parse(parameters);
  if (values.help) return undefined;
  const [command, type, ...others] = positionals;
  if (others.length > 0 || !(command === 'trigger' ? type : command === 'listen' && type === undefined)) {
    throw new UsageError('The commands are: listen, trigger TYPE.');
  }
  const setting = (name: keyof typeof NAMES) => {
    const value = values[name] ?? process.env[NAMES[name]];
    if (!value) throw new UsageError(`Give --${name} or set ${NAMES[name]}.`);
    return value;
  };
  const { 'forward-to': forwardTo = '', types } = values;
  if (command === 'listen' && (!/^https?:\/\//.test(forwardTo) || !URL.canParse(forwardTo))) {
    throw new UsageError('Give --forward-to an address that begins with http:// or https://.');
  }
  // Not an option: other people on this machine can read the options of a process.
  const clientSecret = process.env['TREFOIL_CLIENT_SECRET'];
  if (!clientSecret) throw new UsageError('Set TREFOIL_CLIENT_SECRET.');
  const [baseUrl, tenantId, clientId] = [setting('base-url'), setting('tenant'), setting('client-id')];
  return { command, type, forwardTo, types, baseUrl, tenantId, clientId, clientSecret };
}

/** npm forwards the signal that its whole group got, so signals within a second are one. A later one means: do not wait. */
function onEndSignal(end: () => void): void {
  let firstAtMs: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      firstAtMs ??= performance.now();
      if (performance.now() - firstAtMs >= 1_000) process.exit(1);
      end();
    });
  }
}

async function main(parameters: string[]): Promise<number> {
  const options = readOptions(parameters);
  if (!options) {
    console.log(HELP);
    return 0;
  }
  if (options.command === 'trigger') {
    const { type = '' } = options;
    console.log(`${type}  ${await trigger(createTrefoil(options), type)}`);
    return 0;
  }
  const given = process.env['TREFOIL_WEBHOOK_SECRET'];
  const secret = given || `whsec_${randomBytes(32).toString('base64')}`;
  await webhooks.sign('', { id: 'check', secret });
  const controller = new AbortController();
  onEndSignal(() => controller.abort());
  const trefoil = createTrefoil(options);
  if (!given) console.log(`Signing secret of this run: ${secret}`);
  const entered = createInterface({ input: process.stdin, terminal: false });
  try {
    await listen(trefoil, {
      ...{ forwardTo: options.forwardTo, types: options.types, secret, entered },
      signal: controller.signal,
      print: (line) => console.log(line),
    });
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    // Otherwise the process would wait for input.
    entered.close();
  }
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof TypeError || error instanceof TrefoilWebhookError;
  if (!isUsage && !(error instanceof TrefoilError) && !(error instanceof TrefoilNoAnswerError)) throw error;
  const prefix = error instanceof TrefoilError ? `${error.status} ${error.code}: ` : '';
  console.error(`${prefix}${error.message}${isUsage ? '\nHelp: npx @trefoil/sdk --help' : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}
