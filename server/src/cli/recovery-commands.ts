// For people who cannot get in any more. Make sure first that they are who they say they are.
import { auditAs } from '../identity/audit-person.ts';
import { makeResetPath, removeFactors } from '../identity/proofs/recover-person.ts';
import { createLinkTokens } from '../mail/link-tokens.ts';
import { defineCommand, defineConfiguredCommand } from './command.ts';
import { id, required } from './options.ts';
import { requireUser } from './require-found.ts';
import { withDatabase } from './with-database.ts';

const user = required(id, 'The person.');

export const RECOVERY_COMMANDS = [
  defineCommand({
    noun: 'user',
    verb: 'remove-factors',
    summary: 'Take away the authenticator app, passkeys and recovery codes of somebody who lost them.',
    notes:
      'Make sure first that they are who they say they are. All their sign-ins end, they get a mail, and the audit log\n' +
      'of each of their tenants says that the operator did it. Their password stays.',
    options: { user },
    example: 'user remove-factors --user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
    async run(database, { user: userId }) {
      await database.asSystem((tx) => requireUser(tx, userId));
      const removed = await removeFactors(database, userId);
      const text =
        removed === 0
          ? `User ${userId} has no second factor.`
          : `Removed ${removed} ${removed === 1 ? 'factor' : 'factors'} of user ${userId}. Their sign-ins have ended.`;
      return { text, data: { userId, removed } };
    },
  }),
  defineConfiguredCommand({
    noun: 'user',
    verb: 'reset-link',
    summary: 'Print a link by which a person chooses a new password, for when mail does not reach them.',
    notes:
      'The link works once, for half an hour, and for whoever has it: hand it over on a way you trust. A second factor\n' +
      'is still asked for at sign-in. The audit log of each of their tenants says that the operator made it.',
    options: { user },
    example: 'user reset-link --user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
    async runConfigured(config, { user: userId }) {
      const path = await withDatabase(config, async (database) => {
        await database.asSystem((tx) => requireUser(tx, userId));
        const made = await makeResetPath(database, createLinkTokens(config.hashKey), userId);
        await auditAs(database, 'operator', { userId, action: 'password.reset-link-made', details: {} });
        return made;
      });
      const link = `${config.baseUrl}${path}`;
      return { text: `Shown only now; it works once, for half an hour:\n\n  ${link}`, data: { userId, link } };
    },
  }),
];
