// The settings that describe other companies, read from JSON: bureaus, screening, carrier, mail server, collector of traces,
// key service, lenders. Each adapter says by a schema what it needs; a key that is missing, misspelt or of a wrong type is named
// (docs/decisions/0194-adapters-describe-their-settings.md). No value is, since they hold secrets.
import { readFileSync } from 'node:fs';
import { BUREAUS } from '@trefoil/contract';
import { type Static, type TSchema, Type } from 'typebox';
import { BUREAU_SETTINGS, type BureausConfig, type BureauWire } from '../bureaus/registry.ts';
import { KEY_SERVICE_SCHEMAS, type KeyServiceSettings } from '../keys/open-key-service.ts';
import { KEY_SERVICES } from '../keys/port.ts';
import { closed, findSettingFaults } from '../lib/setting-schema.ts';
import { isObject, isText, isTextList, parseJson } from '../lib/settings.ts';
import { TraceSettings } from '../lib/traces/open-traces.ts';
import { readMailbox } from '../lib/values/email.ts';
import { SmtpAccount, type SmtpSettings } from '../mail/smtp.ts';
import type { LenderRegistry } from '../merge/explain-report.ts';
import { HttpScreeningOptions } from '../screening/http-screening.ts';
import { TwilioAccount } from '../sms/twilio.ts';
import { type Parsed, SettingFaults } from './read-settings.ts';

/** The other companies that live mode needs. All of them or none. */
export type Providers = {
  readonly bureaus: BureausConfig;
  readonly screening: HttpScreeningOptions;
  readonly sms: TwilioAccount;
};

const BUREAU_TIMEOUT_MS = 14_000;
const BUREAU_CONCURRENT_MAX = 50;

const ADAPTERS = Object.keys(BUREAU_SETTINGS) as BureauWire['adapter'][];
const BUREAU_NAMES = closed(Object.fromEntries(BUREAUS.map((bureau) => [bureau, Type.Optional(Type.Unknown())])), {
  minProperties: 1,
  description: `an object with at least one of ${BUREAUS.join(', ')}`,
});

function judgeBureau(bureau: string, value: unknown): string[] {
  const adapter = isObject(value) ? value['adapter'] : undefined;
  const known = ADAPTERS.find((each) => each === adapter);
  if (!known)
    return [`/${bureau}/adapter ${adapter === undefined ? 'is missing' : 'is not known'}: ${ADAPTERS.join(', ')}`];
  return findSettingFaults(BUREAU_SETTINGS[known], value, `/${bureau}`);
}

/** One bureau at least; those that are left out are not asked. */
export function parseBureaus(text: string): Parsed<BureausConfig> {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const faults = [
    ...findSettingFaults(BUREAU_NAMES, value),
    ...Object.entries(value).flatMap(([bureau, settings]) =>
      Object.hasOwn(BUREAU_NAMES.properties, bureau) ? judgeBureau(bureau, settings) : [],
    ),
  ];
  if (faults.length > 0) return new SettingFaults(faults);
  const withDefaults = Object.entries(value).map(([bureau, settings]) => [
    bureau,
    { timeoutMs: BUREAU_TIMEOUT_MS, maxConcurrent: BUREAU_CONCURRENT_MAX, ...(settings as object) },
  ]);
  return Object.fromEntries(withDefaults) as BureausConfig;
}

/** The kind decides which other keys there are. */
export function parseKeyService(text: string): Parsed<KeyServiceSettings> {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const kind = KEY_SERVICES.find((each) => each === value['kind']);
  if (!kind) {
    return new SettingFaults([
      `/kind ${value['kind'] === undefined ? 'is missing' : 'is not known'}: ${KEY_SERVICES.join(', ')}`,
    ]);
  }
  const faults = findSettingFaults(KEY_SERVICE_SCHEMAS[kind], value);
  return faults.length > 0 ? new SettingFaults(faults) : (value as KeyServiceSettings);
}

/** A setting that is one object, as the adapter that uses it describes it. */
function parseBy<Schema extends TSchema>(schema: Schema, text: string): Parsed<Static<Schema>> {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const faults = findSettingFaults(schema, value);
  return faults.length > 0 ? new SettingFaults(faults) : (value as Static<Schema>);
}

export const parseScreening = (text: string) => parseBy(HttpScreeningOptions, text);

export const parseSms = (text: string) => parseBy(TwilioAccount, text);

export const parseTraces = (text: string) => parseBy(TraceSettings, text);

export function parseMail(text: string): Parsed<SmtpSettings> {
  const account = parseBy(SmtpAccount, text);
  if (account === undefined || account instanceof SettingFaults) return account;
  const from = readMailbox(account.from);
  return from && { url: account.url, from };
}

export function parseLenders(path: string): LenderRegistry | undefined {
  if (path.trim() === '') return [];
  try {
    const value = parseJson(readFileSync(path, 'utf8'));
    const isLender = (lender: unknown) =>
      isObject(lender) &&
      ['id', 'trading', 'legal', 'companyType'].every((field) => isText(lender[field])) &&
      ['aliases', 'formerNames'].every((field) => isTextList(lender[field])) &&
      (lender['group'] === undefined || lender['group'] === null || isText(lender['group']));
    return Array.isArray(value) && value.every(isLender) ? (value as LenderRegistry) : undefined;
  } catch {
    return undefined;
  }
}
