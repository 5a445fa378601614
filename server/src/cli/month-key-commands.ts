// The operator's commands for keys in use: wrap everything anew by the current keys, list the keys of months, destroy one.
// What they need is loaded when they run: `keys new` shares their noun and needs none of it.
import type { Config } from '../config.ts';
import type { Destruction } from '../credit-reports/retention/month-keys.ts';
import type { KeyService } from '../keys/port.ts';
import { isMonth } from '../keys/rules/month.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { type Answer, defineCommand, Refusal } from './command.ts';
import { NO_SERVICE, openWorking, withService } from './open-vault.ts';
import { optional, required, word } from './options.ts';
import { day, inWords, minute, table } from './print.ts';

const ONTO = ['ring', 'months'] as const;
const SEE = 'See docs/operate/keys.md.';

const month = {
  placeholder: 'month',
  expected: 'a month such as 2026-08',
  parse: (given: string) => (isMonth(given) ? given : undefined),
};

/** Keys of the ring that nothing needs any more. */
async function listFreeKeys(database: Database, { vaultKeys }: Config): Promise<string[]> {
  const [{ countKeyUses }, { listSealKeys }, { listWebhookKeys }] = await Promise.all([
    import('../credit-reports/retention/month-keys.ts'),
    import('../identity/factors/seal-secret.ts'),
    import('../webhooks/open-webhooks.ts'),
  ]);
  const used = new Set([
    ...(await countKeyUses(database)).keys(),
    ...(await listSealKeys(database)),
    ...(await listWebhookKeys(database)),
  ]);
  return vaultKeys
    .slice(1)
    .map(({ id }) => id)
    .filter((id) => !used.has(id));
}

type Onto = (typeof ONTO)[number];

async function rotate(
  database: Database,
  config: Config,
  { onto, service, tell }: { onto: Onto; service: KeyService | undefined; tell(sentence: string): void },
): Promise<Answer> {
  const [{ rewrapDataKeys }, { resealTotps }, { resealEndpoints }, { createVault }, { rewrapWorkingKeys }] =
    await Promise.all([
      import('../credit-reports/retention/rewrap-keys.ts'),
      import('../identity/factors/reseal-totps.ts'),
      import('../webhooks/sealing/reseal-endpoints.ts'),
      import('../lib/crypto/vault.ts'),
      import('../keys/month-keys.ts'),
    ]);
  const { vaultKeys } = config;
  const months = service && (await rewrapWorkingKeys(database, service));
  const working = service && (await openWorking(database, service));
  const vault = createVault(vaultKeys, { working, isRingFirst: onto === 'ring' });
  const settled = { keep: onto === 'ring' ? vaultKeys[0].id : '', keepMonths: onto === 'months' };
  const dataKeys = await rewrapDataKeys(database, { vault, settled, onProgress: tell });
  const authenticators = await resealTotps(database, vaultKeys);
  const endpoints = await resealEndpoints(database, vaultKeys);
  const free = await listFreeKeys(database, config);
  const lines = [
    `Re-wrapped ${dataKeys.count.toLocaleString('en-GB')} data keys of reports onto ${onto === 'ring' ? `the key ${vaultKeys[0].id} of the ring` : 'the working key of this month'}.`,
    ...(dataKeys.skipped > 0 ? [`${dataKeys.skipped} cannot be opened.`] : []),
    `Sealed ${authenticators} authenticator ${authenticators === 1 ? 'app' : 'apps'} and ${endpoints} webhook ${endpoints === 1 ? 'endpoint' : 'endpoints'} anew under ${vaultKeys[0].id}.`,
    ...(months && months.rewrapped.length > 0
      ? [`Re-wrapped the working keys of ${inWords(months.rewrapped)} under the newest version of their month's key.`]
      : []),
    ...(months && months.failed.length > 0
      ? [`NOT re-wrapped: the working keys of ${inWords(months.failed)}; the key service did not do it. Run it again.`]
      : []),
    free.length > 0
      ? `No report, authenticator app or endpoint needs ${inWords(free)} any more. ${SEE}`
      : 'Every key of the ring is still needed, or is the first.',
  ];
  return {
    text: lines.join('\n'),
    data: { onto, dataKeys, authenticators, endpoints, months: months ?? null, free },
    isAlarm: (months?.failed.length ?? 0) > 0,
  };
}

/** What is done stays done, so the command can be repeated. */
async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    throw new Refusal(`The key service does not give a key${cause}. What is done stays done: run it again later.`);
  }
}

const rotateCommand = defineCommand({
  noun: 'keys',
  verb: 'rotate',
  summary: 'Wrap everything anew by the current keys, while the service runs.',
  notes:
    'Data keys of reports that an older key of the ring wraps get the current one: the working key of this month where there\n' +
    'is a key service, else the first key of the ring. Authenticator secrets and webhook endpoints are sealed anew under the\n' +
    'first key of the ring, and working keys are wrapped anew under the newest version of their month key. No report is\n' +
    'encrypted again. It can be stopped and run again at any time: the rows say what is left. Before you run it, every node\n' +
    'must have the new key: docs/operate/keys.md. --onto ring is for leaving a key service.',
  options: {
    onto: optional(word(ONTO), `By which keys: ${ONTO.join(' or ')} (default: months if there is a key service).`),
  },
  example: 'keys rotate',
  async run(database, { onto }, { config, tell }) {
    if (!config.keyService) {
      if (onto === 'months') throw new Refusal(NO_SERVICE);
      return orRefuse(() => rotate(database, config, { onto: 'ring', service: undefined, tell }));
    }
    return withService(config, (service) =>
      orRefuse(() => rotate(database, config, { onto: onto ?? 'months', service, tell })),
    );
  },
});

const STATES = {
  destroyed: 'destroyed',
  closing: 'being destroyed',
  free: 'can be destroyed',
  needed: 'needed',
  kept: 'kept',
} as const;

const monthsCommand = defineCommand({
  noun: 'keys',
  verb: 'months',
  summary: 'Show the keys of months, and how many live reports need each.',
  notes:
    'It counts every data key, which takes seconds for millions of reports. It asks the key service about each month.',
  options: {},
  example: 'keys months',
  async run(database, _values, { config }) {
    const { listCountedMonths } = await import('../credit-reports/retention/month-keys.ts');
    const counted = await listCountedMonths(database, new Date());
    return withService(config, async (service) => {
      const months = await Promise.all(
        counted.map(async (each) => {
          const seen = each.service === service.kind ? await service.describe(each.month) : undefined;
          const atService = seen === undefined ? 'not asked' : seen.kind === 'done' ? 'present' : seen.kind;
          const version = seen?.kind === 'done' ? (seen.value.version ?? null) : null;
          const state = each.destroyedAt
            ? STATES.destroyed
            : each.closedAt
              ? STATES.closing
              : each.mayDestroy
                ? STATES.free
                : each.liveRows > 0
                  ? STATES.needed
                  : STATES.kept;
          return { ...each, atService, version, state };
        }),
      );
      const lines = months.map((each) => [
        each.month,
        each.service,
        each.state,
        each.liveRows.toLocaleString('en-GB'),
        `${each.atService}${each.version === null ? '' : ` (version ${each.version})`}`,
        day(each.createdAt),
        each.destroyedAt ? day(each.destroyedAt) : `from ${day(each.destroyableFrom)}`,
      ]);
      const headings = ['MONTH', 'KEY SERVICE', 'STATE', 'LIVE REPORTS', 'AT THE SERVICE', 'CREATED', 'DESTROYED'];
      const none = 'There are no month keys yet: the first live or test report makes one.';
      return { text: months.length === 0 ? none : table(headings, lines), data: months };
    });
  },
});

function tell(destruction: Destruction, asked: string): Answer {
  switch (destruction.kind) {
    case 'destroyed': {
      const { until } = destruction;
      const text = until
        ? `The key of ${asked} opens nothing any more. The key service deletes it for good at ${minute(until)}; until then an administrator of the service can take that back.`
        : `The key of ${asked} is destroyed. No copy of its reports can be read any more, in no backup.`;
      return { text, data: { month: asked, until: until?.toISOString() ?? null } };
    }
    case 'destroyed-before':
      return { text: `The key of ${asked} was destroyed before.`, data: { month: asked, until: null } };
    case 'unknown-month':
      throw new Refusal(`There is no key of ${asked} in this key service. 'keys months' lists them.`);
    case 'refused':
      throw new Refusal(
        destruction.because === 'too-young'
          ? `The key of ${asked} stays: a tenant may need its reports until ${day(destruction.from)}.`
          : `The key of ${asked} stays: ${destruction.liveRows.toLocaleString('en-GB')} live ${destruction.liveRows === 1 ? 'report needs' : 'reports need'} it. The retention of their tenants erases them first.`,
      );
    case 'away':
      throw new Refusal(
        `The key service did not do it (${destruction.cause.message}). The key is no longer used; run the command again.`,
      );
    default:
      return unreachable(destruction);
  }
}

const destroyCommand = defineCommand({
  noun: 'keys',
  verb: 'destroy-month',
  word: 'month',
  summary: 'Destroy the key of a month, which erases its reports in every backup too.',
  notes:
    'Refused while a live report needs the key, and while the month is younger than the longest retention of any tenant.\n' +
    'It can be repeated: a run that was cut off is finished by the next. Every tenant gets an audit row.',
  options: { month: required(month, 'The month; --month may be left out.') },
  example: 'keys destroy-month 2026-08 --yes',
  preview: async (_database, { month: asked }) =>
    `Whatever backups hold of reports that were wrapped in ${asked} can never be read again.`,
  async run(database, { month: asked }, { config }) {
    const { destroyMonth } = await import('../credit-reports/retention/month-keys.ts');
    return withService(config, async (service) =>
      tell(await destroyMonth(database, service, asked, new Date()), asked),
    );
  },
});

export const MONTH_KEY_COMMANDS = [rotateCommand, monthsCommand, destroyCommand];
