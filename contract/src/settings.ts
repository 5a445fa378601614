// What a company sets for itself (docs/decisions/0232-settings-by-their-tenant.md): how long reports are kept, whose name
// and which page its messages show, where and how many it sends, when its wallet is low, and whether its people need a second factor.
import { type Static, Type } from 'typebox';
import { unmetered } from './envelope.ts';
import type { Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { Instant, oneOf, orNull } from './schema.ts';

export const RETENTION_DAYS_MAX = 90;
const DISPLAY_NAME_MAX = 100;
const MESSAGES_MAX = 1_000_000;
const CREDITS_MAX = 1_000_000_000;
const COUNTRIES_MAX = 250;

const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2, such as GB.' });
const retentionDays = Type.Integer({
  minimum: 0,
  maximum: RETENTION_DAYS_MAX,
  description:
    'How many days a report is kept after it was settled. With 0, a report is only in the answer that completes it.',
});

/** A whole number or null, with the sentence for everything else. */
const countOrNull = (minimum: number, maximum: number, description: string) =>
  orNull(Type.Integer({ minimum, maximum }), {
    description,
    'x-message': `Use a whole number from ${minimum} to ${maximum}, or null.`,
  });

const changeable = {
  displayName: orNull(
    Type.String({ 'x-trim': true, minLength: 1, maxLength: DISPLAY_NAME_MAX, format: 'plain-text' }),
    {
      description: 'Whose code it is, in the words of a text message; null: `name`. A message may have room for less.',
      'x-message': `Use 1 to ${DISPLAY_NAME_MAX} characters without control characters, or null.`,
    },
  ),
  retentionDays,
  smsCountries: orNull(Type.Array(Country, { minItems: 1, maxItems: COUNTRIES_MAX, uniqueItems: true }), {
    description: 'Countries whose numbers get messages, of those in `agreed`; null: all of them.',
    'x-message': 'Give a list of different country codes such as GB, or null.',
  }),
  smsDailyMessages: countOrNull(0, MESSAGES_MAX, 'Most messages in a day (UTC); null: as in `agreed`.'),
  smsDailyCredits: countOrNull(0, CREDITS_MAX, 'Most credits for messages in a day (UTC); null: as in `agreed`.'),
  smsMinuteMessages: countOrNull(0, MESSAGES_MAX, 'Most messages in a minute; null: as in `agreed`.'),
  otpHost: orNull(Type.String({ 'x-trim': true, minLength: 1, maxLength: 60 }), {
    description:
      'Host of the page where consumers type the code: phones offer the code there and nowhere else. Null: the message names none.',
    'x-message': 'Use the host name of a page, at most 60 characters, such as claims.example.com, or null.',
  }),
  lowBalanceCredits: countOrNull(
    1,
    CREDITS_MAX,
    'The first charge that leaves less is told, as `wallet.low` and by mail to owners and finance members; null: never.',
  ),
  requireSecondFactor: Type.Boolean({
    description:
      'Whether people need a second factor to do anything in this company: without one in their sign-in they get 403 `second-factor-required`. API credentials are not affected. Only an owner can turn it off. New companies have it on.',
  }),
};

const Agreed = Type.Object(
  {
    smsCountries: Type.Array(Country),
    smsDailyMessages: Type.Integer({ minimum: 0 }),
    smsDailyCredits: Type.Integer({ minimum: 0 }),
    smsMinuteMessages: Type.Integer({ minimum: 0 }),
  },
  {
    description:
      'The limits agreed with the operator of the service. Your own settings can be lower, not higher. The lower one holds.',
  },
);

export const Settings = Type.Object({
  name: Type.String({ description: 'The company, as the operator of the service knows it.' }),
  ...changeable,
  agreed: Agreed,
});

export const ChangeSettingsRequest = Type.Partial(Type.Object(changeable), { minProperties: 1 });

/** What a shorter retention would erase. */
export const RetentionEffect = Type.Object({
  reports: Type.Integer({ minimum: 0, description: 'Reports that can be read now and could then no longer be.' }),
  oldestSettledAt: orNull(Instant('When the oldest of them was settled.'), { description: 'Null without reports.' }),
  newestSettledAt: orNull(Instant('When the newest of them was settled.'), { description: 'Null without reports.' }),
});

export const SettingsResponse = unmetered(Settings);
export const RetentionPreviewResponse = unmetered(
  Type.Object({ retentionDays, currentDays: retentionDays, ...RetentionEffect.properties }),
);

export const RetentionPreviewQuery = Type.Object({
  retentionDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: RETENTION_DAYS_MAX,
      description: 'The retention to try; the current one if left out.',
    }),
  ),
});
export const ChangeSettingsQuery = Type.Object({
  confirm: Type.Optional(
    oneOf(['false', 'true'] as const, {
      description: '`true`: shorten the retention even though reports are erased.',
    }),
  ),
});

export type Settings = Static<typeof Settings>;
export type ChangeSettingsRequest = Static<typeof ChangeSettingsRequest>;
export type RetentionEffect = Static<typeof RetentionEffect>;
export type RetentionPreview = Static<typeof RetentionPreviewResponse>['data'];

const settings: Settings = {
  name: 'Larkfield Claims Ltd',
  displayName: 'Larkfield Claims',
  retentionDays: 30,
  smsCountries: null,
  smsDailyMessages: 200,
  smsDailyCredits: null,
  smsMinuteMessages: null,
  otpHost: 'claims.example.com',
  lowBalanceCredits: 50_000,
  requireSecondFactor: true,
  agreed: { smsCountries: ['GB', 'IE'], smsDailyMessages: 1_000, smsDailyCredits: 40_000, smsMinuteMessages: 60 },
};

const answer = (summary: string, data: object): Examples => ({
  example: { summary, value: { meta: { request: { timeTakenMs: 6 } }, data } },
});

const inSettings = { tag: 'Settings', scope: 'settings:write', idempotent: false } as const;

export const settingsOperations = {
  getSettings: {
    ...inSettings,
    method: 'GET',
    path: '/:tenantId/v1/settings',
    summary: 'Read the settings',
    description: 'What the company has set for itself, and within which agreed limits.',
    response: SettingsResponse,
    responseExamples: answer('Some settings of its own', settings),
    errors: [],
  },
  changeSettings: {
    ...inSettings,
    method: 'PATCH',
    path: '/:tenantId/v1/settings',
    summary: 'Change the settings',
    description:
      'Changes the fields that are sent and leaves the others. Of two changes to one field the later one holds. A change takes ' +
      'effect with the next request. A shorter retention also applies to existing reports: at once, an older report can no ' +
      'longer be read, and the next purge erases it for good. If that would happen to any report, the answer is 409 with ' +
      '`wouldErase`, until you send `confirm=true`. The audit log has a row `settings.changed` with the new values.',
    needsStepUp: true,
    query: ChangeSettingsQuery,
    body: ChangeSettingsRequest,
    bodyExamples: { example: { summary: 'An earlier warning', value: { lowBalanceCredits: 50_000 } } },
    response: SettingsResponse,
    responseExamples: answer('With the new value', settings),
    errors: ['conflict'],
  },
  previewRetention: {
    ...inSettings,
    method: 'GET',
    path: '/:tenantId/v1/settings/retention-preview',
    summary: 'See what a shorter retention would erase',
    description:
      'Counts the reports, live and test, that can be read now and could not be with this retention. Changes nothing. For a credential ' +
      'for test mode alone there are no live reports.',
    query: RetentionPreviewQuery,
    response: RetentionPreviewResponse,
    responseExamples: answer('Seven days in place of thirty', {
      retentionDays: 7,
      currentDays: 30,
      reports: 1_284,
      oldestSettledAt: '2026-02-01T10:15:00.123Z',
      newestSettledAt: '2026-02-23T09:02:11.480Z',
    }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;
