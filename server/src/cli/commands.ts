// The table of the operator's commands. It is the source of the help, the suggestions and the tests.
import { purgePayloads } from '../identity/provider/purge-payloads.ts';
import { APP_COMMANDS } from './app-commands.ts';
import { AUDIT_COMMANDS } from './audit-commands.ts';
import { BUREAU_COMMANDS } from './bureau-commands.ts';
import { type Command, defineCommand } from './command.ts';
import { CREDENTIAL_COMMANDS } from './credential-commands.ts';
import { KEY_COMMANDS } from './key-commands.ts';
import { MEMBER_COMMANDS } from './member-commands.ts';
import { PRICE_COMMANDS } from './price-commands.ts';
import { RECOVERY_COMMANDS } from './recovery-commands.ts';
import { SESSION_COMMANDS } from './session-commands.ts';
import { TENANT_COMMANDS } from './tenant-commands.ts';
import { TENANT_SETTINGS_COMMANDS } from './tenant-settings-commands.ts';
import { MEMBERSHIP_COMMANDS, USER_COMMANDS } from './user-commands.ts';
import { WALLET_COMMANDS } from './wallet-commands.ts';

const purgeCommand = defineCommand({
  noun: 'purge',
  summary: 'Delete expired rows that the token endpoint no longer needs.',
  notes: 'Safe at any time; once a day is plenty. It deletes no reports, credentials or people.',
  options: {},
  example: 'purge',
  async run(database) {
    const deleted = await purgePayloads(database);
    return { text: `Deleted ${deleted} expired ${deleted === 1 ? 'row' : 'rows'}.`, data: { deleted } };
  },
});

export const COMMANDS: readonly Command[] = [
  ...TENANT_COMMANDS,
  ...TENANT_SETTINGS_COMMANDS,
  ...USER_COMMANDS,
  ...RECOVERY_COMMANDS,
  ...MEMBERSHIP_COMMANDS,
  ...MEMBER_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...AUDIT_COMMANDS,
  ...APP_COMMANDS,
  ...WALLET_COMMANDS,
  ...PRICE_COMMANDS,
  ...BUREAU_COMMANDS,
  ...SESSION_COMMANDS,
  ...KEY_COMMANDS,
  purgeCommand,
];

/** The current names of renamed commands. */
export const MOVED: Readonly<Record<string, string>> = { 'membership list': 'member list' };

/** Started by main.ts; listed here so that the help is complete. */
export const PROCESSES = [
  { name: 'api', summary: 'Run the API until it gets a signal to stop.' },
  { name: 'worker', summary: 'Run only the periodic jobs, for deployments that keep them off the API nodes.' },
  { name: 'migrate', summary: 'Bring the database schema up to date, as the database owner.' },
];
