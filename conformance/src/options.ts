// The command line of the kit. Pure: what is wrong comes back as a sentence, nothing is printed or exited here.
import { parseArgs } from 'node:util';
import type { Credential } from './session.ts';

export const HELP = `Trefoil conformance kit: checks a running service, row by row, in test mode. Nothing is charged.

  npm run conformance -- --base-url <address> --tenant <id> --client-id <id> --client-secret <secret>

  --base-url <address>           where the service answers, for example http://127.0.0.1:8080
  --tenant <id>                  tenant of the credential
  --client-id, --client-secret   API credential with the scopes reports:write, reports:read, wallet:read and
                                 events:read

  --other-tenant, --other-client-id, --other-client-secret
                                 a second tenant with its own credential; without it the rows that need
                                 two are skipped
  --slow                         also wait out the five minutes (about five and a half minutes in all)
  --only <regex>                 only rows whose id or title matches, any case
  --json                         print one JSON object instead of the table
  --list                         list the rows and check nothing
  --help                         this text

Exit code: 0 every row passed, 1 a row failed, 2 the kit could not start (usage, address or credential),
3 a row failed that says that a guess too many was judged, one key did its work twice, or another tenant's
data was seen: do not run it again until it passes, find the cause.
`;

export type Options = {
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly other: Credential | undefined;
  readonly slow: boolean;
  readonly only: RegExp | undefined;
  readonly json: boolean;
};

export type Parsed =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'list'; readonly only: RegExp | undefined; readonly json: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problem: string };

const wrong = (problem: string): Parsed => ({ kind: 'wrong', problem });

const FLAGS = {
  'base-url': { type: 'string' },
  tenant: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  'other-tenant': { type: 'string' },
  'other-client-id': { type: 'string' },
  'other-client-secret': { type: 'string' },
  slow: { type: 'boolean' },
  only: { type: 'string' },
  json: { type: 'boolean' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export function parseOptions(args: string[]): Parsed {
  let values: ReturnType<typeof readFlags>;
  let only: RegExp | undefined;
  try {
    values = readFlags(args);
    only = values.only === undefined ? undefined : new RegExp(values.only, 'i');
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  if (values.help) return { kind: 'help' };
  const json = values.json ?? false;
  if (values.list) return { kind: 'list', only, json };

  const baseUrl = values['base-url'] ?? '';
  const credential = credentialFrom(values.tenant, values['client-id'], values['client-secret']);
  if (!baseUrl || credential === undefined || credential === 'partial') {
    return wrong('Give --base-url, --tenant, --client-id and --client-secret.');
  }
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    return wrong(`--base-url needs an http or https address; ${JSON.stringify(baseUrl)} is not one.`);
  }
  const other = credentialFrom(values['other-tenant'], values['other-client-id'], values['other-client-secret']);
  if (other === 'partial') {
    return wrong('Give --other-tenant, --other-client-id and --other-client-secret together, or none of them.');
  }
  return { kind: 'run', options: { baseUrl, credential, other, slow: values.slow ?? false, only, json } };
}

const readFlags = (args: string[]) => parseArgs({ args, options: FLAGS, strict: true }).values;

function credentialFrom(
  tenantId?: string,
  clientId?: string,
  clientSecret?: string,
): Credential | 'partial' | undefined {
  if (!tenantId && !clientId && !clientSecret) return undefined;
  return tenantId && clientId && clientSecret ? { tenantId, clientId, clientSecret } : 'partial';
}
