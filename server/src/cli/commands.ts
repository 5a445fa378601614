// The table of the operator's commands. It is the source of the help, the suggestions and the tests. Each noun loads its own
// commands: what the others need would delay every command (docs/decisions/0252-commands-load-what-they-need.md).
import type { Command } from './command.ts';

type Load = () => Promise<readonly Command[]>;

/** A file may have commands of another noun too: people are invited where members are. */
const LOADERS: Readonly<Record<string, Load>> = {
  doctor: async () => (await import('./doctor-commands.ts')).DOCTOR_COMMANDS,
  tenant: async () => [
    ...(await import('./tenant-commands.ts')).TENANT_COMMANDS,
    ...(await import('./tenant-settings-commands.ts')).TENANT_SETTINGS_COMMANDS,
  ],
  user: async () => [
    ...(await import('./user-commands.ts')).USER_COMMANDS,
    ...(await import('./recovery-commands.ts')).RECOVERY_COMMANDS,
    ...(await import('./member-commands.ts')).MEMBER_COMMANDS,
  ],
  membership: async () => (await import('./user-commands.ts')).MEMBERSHIP_COMMANDS,
  member: async () => (await import('./member-commands.ts')).MEMBER_COMMANDS,
  credential: async () => (await import('./credential-commands.ts')).CREDENTIAL_COMMANDS,
  webhook: async () => (await import('./webhook-commands.ts')).WEBHOOK_COMMANDS,
  audit: async () => (await import('./audit-commands.ts')).AUDIT_COMMANDS,
  evidence: async () => (await import('./evidence-commands.ts')).EVIDENCE_COMMANDS,
  app: async () => (await import('./app-commands.ts')).APP_COMMANDS,
  wallet: async () => (await import('./wallet-commands.ts')).WALLET_COMMANDS,
  price: async () => (await import('./price-commands.ts')).PRICE_COMMANDS,
  session: async () => (await import('./session-commands.ts')).SESSION_COMMANDS,
  keys: async () => [
    ...(await import('./key-commands.ts')).KEY_COMMANDS,
    ...(await import('./month-key-commands.ts')).MONTH_KEY_COMMANDS,
    ...(await import('./hash-key-commands.ts')).HASH_KEY_COMMANDS,
  ],
  subject: async () => (await import('./subject-commands.ts')).SUBJECT_COMMANDS,
  purge: async () => (await import('./purge-commands.ts')).PURGE_COMMANDS,
};

export const NOUNS = Object.keys(LOADERS);

/** The commands of a noun; none for a noun that there is not. */
export const loadCommands = async (noun: string): Promise<readonly Command[]> =>
  Object.hasOwn(LOADERS, noun) ? ((await LOADERS[noun]?.()) ?? []).filter((command) => command.noun === noun) : [];

export const loadAllCommands = async (): Promise<readonly Command[]> =>
  (await Promise.all(NOUNS.map(loadCommands))).flat();

/** The current names of renamed commands. */
export const MOVED: Readonly<Record<string, string>> = { 'membership list': 'member list' };

/** Started by main.ts; listed here so that the help is complete. */
export const PROCESSES = [
  { name: 'api', summary: 'Run the API until it gets a signal to stop.' },
  { name: 'worker', summary: 'Run only the periodic jobs, for deployments that keep them off the API nodes.' },
  { name: 'migrate', summary: 'Bring the database schema up to date, as the database owner.' },
];
