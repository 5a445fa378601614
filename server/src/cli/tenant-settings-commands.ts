// What a tenant has agreed with us: how long reports are kept, where, how much and in whose name it may send codes, and
// who screens its requests.
import { isSupportedCountry } from 'libphonenumber-js/max';
import type { Database } from '../lib/database.ts';
import { changeSettings, findSettings, type TenantSettings } from '../tenants/change-settings.ts';
import { findTenant } from '../tenants/change-tenant.ts';
import { type Answer, defineCommand } from './command.ts';
import { CREDITS_MAX, flag, id, integer, optional, required, UsageError } from './options.ts';
import { inCredits, inWords, printable, state } from './print.ts';
import { missing } from './require-found.ts';

const RETENTION_DAYS_MAX = 90;
const tenant = required(id, 'The tenant.');

const countries = {
  placeholder: 'A,B',
  expected: 'a comma-separated list of country codes such as GB,IE',
  parse(given: string): readonly string[] | undefined {
    const codes = [...new Set(given.split(',').map((code) => code.trim().toUpperCase()))];
    return codes.every((code) => isSupportedCountry(code)) ? codes : undefined;
  },
};

/** One label at least before the last dot; what a browser would show as the host of a page. */
const host = {
  placeholder: 'host',
  expected: 'the host name of a page, at most 60 characters, such as claims.example.com',
  parse(given: string): string | undefined {
    const name = given.toLowerCase();
    const isHost = name.length <= 60 && /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(name);
    return isHost ? name : undefined;
  },
};

const POLICIES = {
  provider: "the screening provider's word",
  house: "the house policy's word",
  stricter: 'the stricter of the screening provider and the house policy',
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

const lines = (settings: TenantSettings) => {
  const { retentionDays, smsCountries, smsDailyCredits, otpHost } = settings;
  return [
    `  Reports kept       ${retentionDays} ${retentionDays === 1 ? 'day' : 'days'}`,
    `  Messages to        ${smsCountries.join(' ')}`,
    `  Messages a day     ${smsDailyCredits === null ? 'up to 40,000 credits a day, the default' : `up to ${inCredits(smsDailyCredits)}`}`,
    `  Page of the code   ${otpHost ?? 'not named in the message'}`,
    `  Requests screened  by ${screeningLine(settings)}`,
  ];
};

async function change(database: Database, tenantId: string, changes: Partial<TenantSettings>): Promise<TenantSettings> {
  const settings = await database.asSystem((tx) => changeSettings(tx, tenantId, changes));
  if (!settings) throw missing('tenant', tenantId);
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
      const { name, isEnabled } = found;
      return { text: [heading, '', ...lines(settings)].join('\n'), data: { tenantId, name, isEnabled, ...settings } };
    },
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'retention',
    summary: 'Say how many days reports are kept.',
    notes:
      'It holds for reports that exist as well: those that are older now are no longer readable at once and are\n' +
      'erased by the next purge. That cannot be undone. With 0 days a report is in its own answer and nowhere else.',
    options: { tenant, days: required(integer(0, RETENTION_DAYS_MAX), 'Days from when a report was asked for.') },
    example: 'tenant retention --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --days 60',
    async run(database, { tenant: tenantId, days }): Promise<Answer> {
      const settings = await change(database, tenantId, { retentionDays: days });
      const kept = `${days} ${days === 1 ? 'day' : 'days'}`;
      return { text: `Reports of tenant ${tenantId} are kept for ${kept}.`, data: { tenantId, ...settings } };
    },
  }),
  defineCommand({
    noun: 'tenant',
    verb: 'sms',
    summary: 'Say where to, how much and in whose name a tenant may send codes.',
    notes:
      'What you leave out stays as it is. A challenge that may not be sent fails and is not charged. The host is the\n' +
      "page where consumers type the code: phones then offer the code there and nowhere else (the message's last line\n" +
      'reads @host #code).',
    options: {
      tenant,
      countries: optional(countries, 'Countries of the numbers that may be sent to.'),
      'daily-credits': optional(integer(0, CREDITS_MAX), 'Most credits for messages in one day (UTC); 0 sends none.'),
      'default-daily-limit': flag('Return to the default: 40,000 credits a day.'),
      host: optional(host, 'The host of the page where consumers type the code.'),
      'no-host': flag('Name no page in the message.'),
    },
    example: 'tenant sms --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --countries GB,IE --daily-credits 40000',
    async run(database, values): Promise<Answer> {
      const { tenant: tenantId, countries: smsCountries, 'daily-credits': dailyCredits, host: otpHost } = values;
      if (dailyCredits !== undefined && values['default-daily-limit']) {
        throw new UsageError('Give --daily-credits or --default-daily-limit, not both.');
      }
      if (otpHost !== undefined && values['no-host']) throw new UsageError('Give --host or --no-host, not both.');
      const changes: Partial<TenantSettings> = {
        ...(smsCountries && { smsCountries }),
        ...(dailyCredits !== undefined && { smsDailyCredits: dailyCredits }),
        ...(values['default-daily-limit'] && { smsDailyCredits: null }),
        ...(otpHost !== undefined && { otpHost }),
        ...(values['no-host'] && { otpHost: null }),
      };
      if (Object.keys(changes).length === 0) {
        const names = ['--countries', '--daily-credits', '--default-daily-limit', '--host', '--no-host'];
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
    verb: 'screening',
    summary: 'Say whose word decides about live requests.',
    notes:
      'provider asks the screening provider, house counts points by the published list (docs/decisions/0137), stricter\n' +
      'does both and takes the stricter word. The points of a request are in the audit log with their reasons.',
    options: {
      tenant,
      policy: optional(policy, 'Whose word decides.'),
      'challenge-points': optional(integer(1, POINTS_MAX), 'From how many points the house policy challenges (20).'),
      'block-points': optional(integer(2, POINTS_MAX), 'From how many points it blocks (80).'),
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
