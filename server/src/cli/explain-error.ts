// Turns errors that an operator can expect into one line. Any other error is a fault of ours and keeps its stack trace.
import { PROGRAM } from './program-name.ts';

type Sentences = Readonly<Record<string, string>>;

/** What can be wrong with a database address, for whichever setting holds it. */
const connectionSentences = (setting: string): Sentences => ({
  ECONNREFUSED: `The database does not answer. Is PostgreSQL running, and is ${setting} right?`,
  ENOTFOUND: `The host in ${setting} is not known.`,
  EAI_AGAIN: `The host in ${setting} could not be looked up just now. Try again.`,
  ETIMEDOUT: `The database does not answer in time. Is ${setting} right?`,
  ECONNRESET: 'The database closed the connection. Check whether the change was made before you repeat it.',
  '28000': `The database refuses the role in ${setting}.`,
  '28P01': `The database refuses the password in ${setting}.`,
  '3D000': `The database named in ${setting} does not exist.`,
  '53300': 'The database has no free connection. Try again in a moment.',
  '57P03': 'The database is starting or stopping. Try again in a moment.',
});

const COMMAND_SENTENCES: Sentences = {
  ...connectionSentences('TREFOIL_SYSTEM_DATABASE_URL'),
  '23503': 'Something that the command names does not exist, or no longer exists. Nothing was changed.',
  '23505': 'There is already one like it. Nothing was changed.',
  '42501': 'The role in TREFOIL_SYSTEM_DATABASE_URL lacks a permission. It should be trefoil_system.',
  '42P01': `The database has no tables yet, or old ones. Run '${PROGRAM} migrate' first.`,
  '42703': `The database's tables are older than this version. Run '${PROGRAM} migrate' first.`,
  '55P03': 'Another transaction is changing the same rows. Nothing was changed; try again in a moment.',
};

/** Migrations that ran before the failed one stay applied: each is its own transaction. */
const MIGRATION_SENTENCES: Sentences = {
  ...connectionSentences('TREFOIL_OWNER_DATABASE_URL'),
  ECONNRESET: "The database closed the connection. Run 'migrate' again: it continues where it stopped.",
  '42501':
    'The role in TREFOIL_OWNER_DATABASE_URL lacks a permission. It should own the database and be allowed to create roles.',
  '55P03':
    "A running transaction holds a lock on a table that a migration needs. Run 'migrate' again: it continues where it stopped.",
};

/** The constraints whose name says more than the error code. */
const CONSTRAINTS: Readonly<Record<string, string>> = {
  users_email_key: "There is already a user with this e-mail address; 'user list' shows them.",
  list_prices_pkey: 'There is already a price from that instant. Nothing was changed; choose a later one.',
  tenant_prices_pkey: 'There is already a price from that instant. Nothing was changed; choose a later one.',
  credentials_tenant_id_owner_user_id_fkey: 'The owner is not a member of the tenant. Nothing was changed.',
};

const SQLSTATE = /^[0-9A-Z]{5}$/;

function explain(error: unknown, sentences: Sentences): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: string; constraint?: string };
  const known = CONSTRAINTS[constraint ?? ''] ?? sentences[code ?? ''];
  if (known) return known;
  // The message of a database error names tables and rules; the affected rows are in other fields.
  if (code !== undefined && SQLSTATE.test(code)) return `The database refused (${code}): ${error.message}.`;
  // The pool's own time-outs have no code.
  return /timeout/.test(error.message) ? sentences['ETIMEDOUT'] : undefined;
}

/** Undefined for an unexpected error. */
export const explainError = (error: unknown) => explain(error, COMMAND_SENTENCES);

export function explainMigrationError(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Another migration is already running')) {
    return 'Another process is migrating this database. Wait until it is done.';
  }
  if (message.startsWith('Not run migration')) {
    return 'The database was migrated by a version that differs from this one: migrate with the newer of the two.';
  }
  // The library keeps only the text of the database's error about the migrations table.
  if (/^Unable to ensure migrations table: error: (permission denied|must be owner)/.test(message)) {
    return MIGRATION_SENTENCES['42501'];
  }
  if (/Connection terminated unexpectedly|terminating connection/.test(message))
    return MIGRATION_SENTENCES['ECONNRESET'];
  return explain(error, MIGRATION_SENTENCES);
}
