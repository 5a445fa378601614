// A tenant's agreed settings: how long reports are kept; where, how much and in whose name it may send codes; and
// who screens its requests.
import { isSupportedCountry } from 'libphonenumber-js/max';
import { auditOperator } from '../audit/audit-operator.ts';
import { previewForOperator } from '../credit-reports/retention/preview-retention.ts';
import type { Database } from '../lib/postgres/database.ts';
import { printable } from '../lib/values/plain-text.ts';
import { changeSettings, findSettings, type StoredSettings, type TenantSettings } from '../tenants/change-settings.ts';
import { findTenant } from '../tenants/change-tenant.ts';
import { toHost } from '../tenants/rules/otp-host.ts';
import { DEFAULT_LIMITS } from '../tenants/rules/own-settings.ts';
import { type Answer, defineCommand } from './command.ts';
import { CREDITS_MAX, flag, integer, optional, required, tenantRef, UsageError } from './options.ts';
import { day, inCredits, inWords, state } from './print.ts';
import { missing } from './require-found.ts';

const RETENTION_DAYS_MAX = 90;
const MESSAGES_MAX = 1_000_000;
const tenant = required(tenantRef, 'The tenant, by its id or its name.');

const countries = {
  placeholder: 'A,B',
  expected: 'a comma-separated list of country codes such as GB,IE',
  parse(given: string): readonly string[] | undefined {
    const codes = [...new Set(given.split(',').map((code) => code.trim().toUpperCase()))];
    return codes.every((code) => isSupportedCountry(code)) ? codes : undefined;
  },
};

const host = {
  placeholder: 'host',
  expected: 'the host name of a page, at most 60 characters, such as claims.example.com',
  parse: toHost,
};

const POLICIES = {
  provider: "the screening provider's decision",
  house: "the built-in policy's decision",
  stricter: 'the stricter of the screening provider and the built-in policy',
} as const;

const policy = {
  placeholder: 'name',
  expected: 'provider, house or stricter',
  parse: (given: string): keyof typeof POLICIES | undefined =>
    given in POLICIES ? (given as keyof typeof POLICIES) : undefined,
};

const POINTS_MAX = 1_000;

const screeningLine = ({ screeningPolicy, challengePoints, blockPoints }: TenantSettings) =>
  screeningPolicy === 'provider'
    ? POLICIES.provider
    : `${POLICIES[screeningPolicy]} (challenge from ${challengePoints} points, block from ${blockPoints})`;

const orDefault = (limit: number | null, standard: number, words: (limit: number) => string) =>
  limit === null ? `up to ${words(standard)}, the default` : `up to ${words(limit)}`;
const messages = (count: number) => `${count.toLocaleString('en-GB')} ${count === 1 ? 'message' : 'messages'}`;

const budgetLines = ({ smsDailyCredits, smsDailyMessages, smsMinuteMessages }: TenantSettings) => [
  `  Messages a day     ${orDefault(smsDailyMessages, DEFAULT_LIMITS.smsDailyMessages, messages)}; ${orDefault(smsDailyCredits, DEFAULT_LIMITS.smsDailyCredits, inCredits)}`,
  `  Messages a minute  ${orDefault(smsMinuteMessages, DEFAULT_LIMITS.smsMinuteMessages, messages)}`,
];

const inDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`;

/** The company narrows its own limits through the API; without such a setting there is no line. */
function ownLines(own: StoredSettings): string[] {
  const words = [
    ...(own.displayName === null ? [] : [`named ${printable(own.displayName)} in messages`]),
    ...(own.ownSmsCountries === null ? [] : [`messages to ${own.ownSmsCountries.join(' ')}`]),
    ...(own.ownSmsDailyMessages === null ? [] : [`${messages(own.ownSmsDailyMessages)} a day`]),
    ...(own.ownSmsDailyCredits === null ? [] : [`${inCredits(own.ownSmsDailyCredits)} a day`]),
    ...(own.ownSmsMinuteMessages === null ? [] : [`${messages(own.ownSmsMinuteMessages)} a minute`]),
    ...(own.requireSecondFactor ? ['people need a second factor'] : []),
  ];
  return words.length > 0 ? [`  By the company     ${words.join('; ')}`] : [];
}

const lines = (settings: StoredSettings) => {
  const { retentionDays, smsCountries, otpHost, lowBalanceCredits } = settings;
  return [
    `  Reports kept       ${inDays(retentionDays)}`,
    `  Messages to        ${smsCountries.join(' ')}`,
    ...budgetLines(settings),
    `  Page of the code   ${otpHost ?? 'not named in the message'}`,
    `  Requests screened  by ${screeningLine(settings)}`,
    `  Wallet low         ${lowBalanceCredits === null ? 'never told' : `told below ${inCredits(lowBalanceCredits)}`}`,
    ...ownLines(settings),
  ];
};

async function change(database: Database, tenantId: string, changes: Partial<TenantSettings>): Promise<StoredSettings> {
  const outcome = await database.asSystem((tx) => changeSettings(tx, tenantId, changes));
  if (!outcome) throw missing('tenant', tenantId);
  const { settings, changed } = outcome;
  if (Object.keys(changed).length > 0) {
    await auditOperator(database, [tenantId], { action: 'settings.changed', details: changed });
  }
  return settings;
}

export const TENANT_SETTINGS_COMMANDS = [
  defineCommand({
    noun: 'tenant',
    verb: 'show',
    summary: 'Show a tenant and its settings.',
    options: { tenant },
    example: 'tenant show --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
    async run(database, { tenant: tenantId }): Promise<Answer> {
      const { found, settings } = await database.asSystem(async (tx) => ({
        found: await findTenant(tx, tenantId),
        settings: await findSettings(tx, tenantId),
      }));
      if (!found || !settings) throw missing('tenant', tenantId);
      const heading = `Tenant ${tenantId} (${printable(found.name)}), ${state(found.isEnabled)}.`;
      const { isEnabled } = found;
      return { text: [heading, '', ...lines(settings)].join('\n'), data: { tenantId, isEnabled, ...settings } };
    },
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'retention',
    summary: 'Set how many days reports are kept.',
    notes:
      'It also applies to existing reports: at once, a report that is older can no longer be read, and the next purge\n' +
      'erases it. That cannot be undone. With 0 days, a report is only in the answer that completes it.',
    options: { tenant, days: required(integer(0, RETENTION_DAYS_MAX), 'Days from when a report was settled.') },
    example: 'tenant retention --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --days 60',
    async preview(database, { tenant: tenantId, days }) {
      const current = await database.asSystem((tx) => findSettings(tx, tenantId));
      if (!current) throw missing('tenant', tenantId);
      if (days >= current.retentionDays) return undefined;
      const { count, oldestAt, newestAt } = await previewForOperator(database, tenantId, days);
      if (!oldestAt || !newestAt) return undefined;
      const reports = `${count.toLocaleString('en-GB')} ${count === 1 ? 'report' : 'reports'}`;
      return (
        `Tenant ${tenantId} keeps reports for ${inDays(current.retentionDays)}. With ${inDays(days)}, ${reports}, settled ` +
        `from ${day(oldestAt)} to ${day(newestAt)}, can no longer be read and are erased by the next purge.`
      );
    },
    async run(database, { tenant: tenantId, days }): Promise<Answer> {
      const settings = await change(database, tenantId, { retentionDays: days });
      return { text: `Reports of tenant ${tenantId} are kept for ${inDays(days)}.`, data: { tenantId, ...settings } };
    },
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'sms',
    summary: 'Set the countries, the limits and the page host for the codes that a tenant sends.',
    notes:
      'What you leave out stays as it is. A challenge that may not be sent fails and is not charged. The host is the\n' +
      "page where consumers type the code: phones then offer the code there and nowhere else (the message's last line\n" +
      'reads @host #code).',
    options: {
      tenant,
      countries: optional(countries, 'Countries whose numbers may get messages.'),
      'daily-credits': optional(
        integer(0, CREDITS_MAX),
        'Maximum credits for messages in one day (UTC); 0 sends none.',
      ),
      'daily-messages': optional(integer(0, MESSAGES_MAX), 'Maximum messages in one day (UTC); 0 sends none.'),
      'default-daily-limit': flag('Return to the defaults of a day: 40,000 credits and 1,000 messages.'),
      'minute-messages': optional(integer(0, MESSAGES_MAX), 'Maximum messages in one minute; 0 sends none.'),
      'default-minute-limit': flag('Return to the default of a minute: 60 messages.'),
      host: optional(host, 'The host of the page where consumers type the code.'),
      'no-host': flag('Name no page in the message.'),
    },
    example: 'tenant sms --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --countries GB,IE --daily-credits 40000',
    async run(database, values): Promise<Answer> {
      const { tenant: tenantId, countries: smsCountries, 'daily-credits': dailyCredits, host: otpHost } = values;
      const [dailyMessages, minuteMessages] = [values['daily-messages'], values['minute-messages']];
      if ((dailyCredits !== undefined || dailyMessages !== undefined) && values['default-daily-limit']) {
        throw new UsageError('Give --daily-credits or --daily-messages, or --default-daily-limit, not both.');
      }
      if (minuteMessages !== undefined && values['default-minute-limit']) {
        throw new UsageError('Give --minute-messages or --default-minute-limit, not both.');
      }
      if (otpHost !== undefined && values['no-host']) throw new UsageError('Give --host or --no-host, not both.');
      const changes: Partial<TenantSettings> = {
        ...(smsCountries && { smsCountries }),
        ...(dailyCredits !== undefined && { smsDailyCredits: dailyCredits }),
        ...(dailyMessages !== undefined && { smsDailyMessages: dailyMessages }),
        ...(values['default-daily-limit'] && { smsDailyCredits: null, smsDailyMessages: null }),
        ...(minuteMessages !== undefined && { smsMinuteMessages: minuteMessages }),
        ...(values['default-minute-limit'] && { smsMinuteMessages: null }),
        ...(otpHost !== undefined && { otpHost }),
        ...(values['no-host'] && { otpHost: null }),
      };
      if (Object.keys(changes).length === 0) {
        const names = [
          ...['--countries', '--daily-credits', '--daily-messages', '--default-daily-limit'],
          ...['--minute-messages', '--default-minute-limit', '--host', '--no-host'],
        ];
        throw new UsageError(`Say what to change: ${inWords(names).replace(' and ', ' or ')}.`);
      }
      const settings = await change(database, tenantId, changes);
      return {
        text: [`Tenant ${tenantId} now has:`, '', ...lines(settings)].join('\n'),
        data: { tenantId, ...settings },
      };
    },
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'low-balance',
    summary: 'Set below which balance a tenant is told that its wallet is low.',
    notes:
      'The first charge that leaves less tells it once: as the event wallet.low, and by mail to owners and finance members.\n' +
      'It is told again after a top-up has lifted the balance to the threshold or above.',
    options: {
      tenant,
      credits: optional(integer(1, CREDITS_MAX), 'The threshold, in credits.'),
      off: flag('Tell nothing.'),
    },
    example: 'tenant low-balance --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --credits 50000',
    async run(database, { tenant: tenantId, credits, off }): Promise<Answer> {
      if ((credits === undefined) === !off) throw new UsageError('Give --credits or --off.');
      const settings = await change(database, tenantId, { lowBalanceCredits: credits ?? null });
      return {
        text: [`Tenant ${tenantId} now has:`, '', ...lines(settings)].join('\n'),
        data: { tenantId, ...settings },
      };
    },
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'screening',
    summary: 'Set which screening policy decides about live requests.',
    notes:
      'provider asks the screening provider, house counts points by the published list (docs/decisions/0137-built-in-policy.md), stricter\n' +
      'does both and takes the stricter decision. The points of a request are in the audit log with their reasons.',
    options: {
      tenant,
      policy: optional(policy, `The policy that decides: ${policy.expected}.`),
      'challenge-points': optional(
        integer(1, POINTS_MAX),
        'Points from which the built-in policy challenges (default 20).',
      ),
      'block-points': optional(integer(2, POINTS_MAX), 'Points from which it blocks (default 80).'),
    },
    example: 'tenant screening --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --policy stricter --block-points 60',
    async run(database, values): Promise<Answer> {
      const { tenant: tenantId, policy: screeningPolicy } = values;
      const [challengePoints, blockPoints] = [values['challenge-points'], values['block-points']];
      const changes: Partial<TenantSettings> = {
        ...(screeningPolicy && { screeningPolicy }),
        ...(challengePoints !== undefined && { challengePoints }),
        ...(blockPoints !== undefined && { blockPoints }),
      };
      if (Object.keys(changes).length === 0) {
        throw new UsageError('Say what to change: --policy, --challenge-points or --block-points.');
      }
      const current = await database.asSystem((tx) => findSettings(tx, tenantId));
      if (!current) throw missing('tenant', tenantId);
      const next = { ...current, ...changes };
      if (next.blockPoints <= next.challengePoints) {
        throw new UsageError(
          `Requests would be blocked from ${next.blockPoints} points and challenged from ${next.challengePoints}: ` +
            'blocking needs more points than challenging.',
        );
      }
      const settings = await change(database, tenantId, changes);
      return {
        text: [`Tenant ${tenantId} now has:`, '', ...lines(settings)].join('\n'),
        data: { tenantId, ...settings },
      };
    },
  }),
];
