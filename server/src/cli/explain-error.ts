// Turns what an operator can expect to go wrong into one line. Anything else is a fault of ours and keeps its trace.

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The database does not answer. Is PostgreSQL running, and is TREFOIL_SYSTEM_DATABASE_URL right?',
  ENOTFOUND: 'The host in TREFOIL_SYSTEM_DATABASE_URL is not known.',
  EAI_AGAIN: 'The host in TREFOIL_SYSTEM_DATABASE_URL could not be looked up just now. Try again.',
  ETIMEDOUT: 'The database does not answer in time. Is TREFOIL_SYSTEM_DATABASE_URL right?',
  ECONNRESET: 'The database closed the connection. Look whether the change was made before you repeat it.',
  '23503': 'Something the command names does not exist (any more). Nothing was changed.',
  '23505': 'There is already one like it. Nothing was changed.',
  '28000': 'The database refuses the role in TREFOIL_SYSTEM_DATABASE_URL.',
  '28P01': 'The database refuses the password in TREFOIL_SYSTEM_DATABASE_URL.',
  '3D000': 'The database named in TREFOIL_SYSTEM_DATABASE_URL does not exist.',
  '42501': 'The role in TREFOIL_SYSTEM_DATABASE_URL lacks a permission. It should be trefoil_system.',
  '42P01': "The database has no tables yet, or old ones. Run 'npm run trefoil -- migrate' first.",
  '42703': "The database's tables are older than this version. Run 'npm run trefoil -- migrate' first.",
  '53300': 'The database has no free connection. Try again in a moment.',
  '55P03': 'Somebody else is changing the same thing. Nothing was changed; try again in a moment.',
  '57P03': 'The database is starting or stopping. Try again in a moment.',
};

/** The constraints whose breach says more than its code does. */
const CONSTRAINTS: Readonly<Record<string, string>> = {
  users_email_key: "There is already a user with this e-mail address; 'user list' shows them.",
  list_prices_pkey: 'There is already a price from that very instant. Nothing was changed; choose a later one.',
  tenant_prices_pkey: 'There is already a price from that very instant. Nothing was changed; choose a later one.',
  credentials_tenant_id_owner_user_id_fkey: 'The owner is not a member of the tenant. Nothing was changed.',
};

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Undefined for what nobody expected. */
export function explainError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: string; constraint?: string };
  const known = CONSTRAINTS[constraint ?? ''] ?? SENTENCES[code ?? ''];
  if (known) return known;
  // The message of a database error names tables and rules; the rows it is about stand in other fields.
  if (code !== undefined && SQLSTATE.test(code)) return `The database refused (${code}): ${error.message}.`;
  // The pool's own time-outs carry no code.
  return /timeout/.test(error.message) ? SENTENCES['ETIMEDOUT'] : undefined;
}
