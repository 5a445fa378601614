// Every job that cannot fail three times in ten minutes, which is what TrefoilJobFails waits for, is in TrefoilSlowJobFails. The
// jobs are those of an app with all of its parts, so a new one that no alert would ever tell of fails here.
import { afterAll, expect, test } from 'vitest';
import { type App, createApp } from '../../server/src/app.ts';
import { loadConfig } from '../../server/src/config.ts';
import { createSecrets } from '../dev/local-secrets.ts';
import { readGroups } from './promtool.ts';

const HOUR_MS = 3_600_000;
/** A fifth more than it says, three times in ten minutes. */
const SLOW_MS = 600_000 / 3 / 1.2;

let app: App | undefined;
afterAll(() => app?.close());

const at = (name: string, credentials: object, more: object = {}) => ({
  ...{ baseUrl: `https://${name}.example.com`, credentials },
  ...more,
});

/** Live mode, mail and a key service: each has jobs of its own. Nothing is reached: the app is never started. */
const WHOLE = {
  ...createSecrets(),
  TREFOIL_BASE_URL: 'https://api.example.com',
  TREFOIL_DATABASE_URL: 'postgres://trefoil_app@127.0.0.1:9/trefoil',
  TREFOIL_SYSTEM_DATABASE_URL: 'postgres://trefoil_system@127.0.0.1:9/trefoil',
  TREFOIL_REDIS_URL: 'none',
  TREFOIL_DRAIN_MS: '0',
  TREFOIL_MAIL: JSON.stringify({ url: 'smtps://u:p@mail.example.com', from: 'no-reply@example.com' }),
  TREFOIL_KEY_SERVICE: JSON.stringify({ kind: 'vault-transit', address: 'https://vault.example.com', token: 't' }),
  TREFOIL_BUREAUS: JSON.stringify({
    equifax: at('albion', { username: 'u', password: 'p' }, { adapter: 'albion' }),
    experian: at('beacon', { apiKey: 'k' }, { adapter: 'beacon' }),
    transunion: at('cygnet', { clientId: 'c', clientSecret: 's' }, { adapter: 'cygnet' }),
  }),
  TREFOIL_SCREENING: JSON.stringify({ baseUrl: 'https://screening.example.com', apiKey: 'k' }),
  TREFOIL_SMS: JSON.stringify({
    ...{ carrier: 'twilio', apiBaseUrl: 'https://carrier.example.com', accountSid: 'AC1' },
    ...{ authToken: 't', from: '+447700900999' },
  }),
};

type Part = { readonly pattern: string; readonly outcome: string; readonly windowMs: number };

async function readParts(): Promise<Part[]> {
  const rules = (await readGroups('deploy/prometheus/trefoil-alerts.yml')).flatMap((group) => group.rules);
  const expr = rules.find(({ alert }) => alert === 'TrefoilSlowJobFails')?.expr ?? '';
  return [...expr.matchAll(/\{name=~?"([^"]+)",outcome="(\w+)"\}\[(\d+)h\]/g)].map(([, pattern, outcome, hours]) => ({
    ...{ pattern: pattern ?? '', outcome: outcome ?? '' },
    windowMs: Number(hours) * HOUR_MS,
  }));
}

const matches = (pattern: string, name: string) => new RegExp(`^(?:${pattern})$`).test(name);

test('every job with a long rest is in the alert for slow jobs, with a window longer than its rest', async () => {
  app = await createApp(loadConfig(WHOLE), { logDestination: { write: () => undefined } });
  const [jobs, parts] = [app.listJobs(), await readParts()];
  const slow = jobs.filter(({ everyMs }) => everyMs > SLOW_MS);
  expect(slow.length).toBeGreaterThan(20);
  const unseen = slow.filter(({ name, everyMs }) => {
    const own = parts.filter(({ pattern, windowMs }) => matches(pattern, name) && windowMs > everyMs);
    return (
      own
        .map(({ outcome }) => outcome)
        .toSorted()
        .join() !== 'done,failed'
    );
  });
  expect(unseen.map(({ name }) => name)).toEqual([]);
  const named = parts.flatMap(({ pattern }) => pattern.split('|'));
  expect(named.filter((each) => !slow.some(({ name }) => matches(each, name)))).toEqual([]);
});
