// The checks that go over the network to the base address, Redis, the mail server and other companies.
import type { Config } from '../config.ts';
import { createTurns } from '../lib/limits/turns.ts';
import { greetMailServer } from '../mail/smtp.ts';
import { askReady, connectTo, lookUpInTurn, pingRedis, type Ready } from './probes.ts';
import { skip, warn } from './rules/finding.ts';
import { judgeBaseAddress, judgeCertificate, judgeMail, judgeProvider, judgeRedis } from './rules/outside.ts';
import type { Check } from './run-checks.ts';

const PROXY = 'docs/operate/deploy.md#tls-and-proxy';
const MAIL = 'docs/operate/runbook.md#mail-does-not-go-out';
const BUREAU = 'docs/operate/runbook.md#a-bureau-or-the-screening-provider-is-down';
const CARRIER = 'docs/operate/runbook.md#the-carrier-is-down';

/** Below the limit of a check, so that the library closes its connection itself and says why. */
const PROBE_MS = 6_000;

/** Beyond the service's own ten seconds for a connection and a greeting: some servers let strangers wait on purpose. */
const MAIL_LIMIT_MS = 20_000;

/** Half of the threads that look names up. */
const LOOK_UPS = 2;

function listProviders({ providers }: Config): { name: string; subject: string; address: string; see: string }[] {
  if (!providers) return [];
  const bureaus = Object.entries(providers.bureaus).map(([bureau, { baseUrl }]) => ({
    ...{ name: `bureau-${bureau}`, subject: `The bureau ${bureau}`, address: baseUrl, see: BUREAU },
  }));
  return [
    ...bureaus,
    { name: 'screening', subject: 'The screening provider', address: providers.screening.baseUrl, see: BUREAU },
    { name: 'carrier', subject: 'The carrier', address: providers.sms.apiBaseUrl, see: CARRIER },
  ];
}

type Asked = {
  readonly config: Config;
  readonly now: () => Date;
  readonly isDevelopment: boolean;
  readonly ready: Promise<Ready>;
};

/** Asked once: its answer also says what time it is there. */
export function askBaseAddress({ baseUrl }: Config): Promise<Ready> {
  const ready = askReady(baseUrl, AbortSignal.timeout(PROBE_MS));
  ready.catch(() => undefined);
  return ready;
}

export function outsideChecks({ config, now, isDevelopment, ready }: Asked): Check[] {
  const isHttps = config.baseUrl.startsWith('https:');
  const { mail } = config;
  const lookUps = createTurns(LOOK_UPS);
  const connect = (address: string, signal: AbortSignal) => connectTo(address, signal, lookUpInTurn(lookUps, signal));
  const providers = listProviders(config).map(
    ({ name, subject, address, see }): Check => ({
      ...{ name, subject, see },
      todo: 'Ask the provider, and check the address and your firewall.',
      run: async (signal) => judgeProvider(subject, await connect(address, signal), now(), see),
    }),
  );
  return [
    {
      name: 'base-address',
      ...{ subject: 'The base address', todo: 'Check the proxy and its DNS name.', see: PROXY },
      run: async () => judgeBaseAddress(isHttps, isDevelopment, await ready),
    },
    {
      name: 'certificate',
      ...{ subject: 'The base address', todo: 'Check the proxy and its DNS name.', see: PROXY },
      run: async (signal) =>
        isHttps
          ? judgeCertificate(await connect(config.baseUrl, signal), now())
          : skip('The base address is not https.'),
    },
    {
      name: 'redis',
      ...{ subject: 'Redis', todo: 'Bring it back.', see: 'docs/operate/runbook.md#redis-is-down' },
      run: async () =>
        config.redisUrl === undefined
          ? skip('TREFOIL_REDIS_URL is none: the only node keeps all limits itself.')
          : judgeRedis(await pingRedis(config.redisUrl, PROBE_MS / 2), config.redisTimeoutMs),
    },
    {
      name: 'mail',
      ...{ subject: 'The mail server', todo: 'Check the server and TREFOIL_MAIL.', see: MAIL },
      limitMs: MAIL_LIMIT_MS,
      async run(signal) {
        if (!mail) {
          const todo = 'Name a mail server.';
          return warn('TREFOIL_MAIL is not set: mails wait in the queue.', todo, 'docs/operate/configuration.md#mail');
        }
        return judgeMail(await greetMailServer(mail, signal));
      },
    },
    ...(config.providers
      ? providers
      : [
          {
            name: 'providers',
            ...{ subject: 'The providers', todo: '', see: BUREAU },
            run: async () => skip('No bureaus, screening and carrier are configured: there is test mode alone.'),
          },
        ]),
  ];
}
