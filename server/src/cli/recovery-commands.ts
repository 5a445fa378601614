// For people who can no longer sign in. First make sure that they are who they say they are.
import { makeLinkPath } from '../identity/first-factor/factor-links.ts';
import { auditAs } from '../identity/people/audit-person.ts';
import { printable } from '../lib/values/plain-text.ts';
import { createLinkTokens } from '../mail/link-tokens.ts';
import { defineCommand, Refusal } from './command.ts';
import { id, required } from './options.ts';
import { requireUser } from './require-found.ts';

const user = required(id, 'The person.');

/** Loaded when it is needed: passkeys bring a library that would delay the help. */
const loadRecovery = () => import('../identity/factors/recover-person.ts');

export const RECOVERY_COMMANDS = [
  defineCommand({
    noun: 'user',
    verb: 'remove-factors',
    summary: 'Remove the authenticator app, passkeys and recovery codes of a person who lost them.',
    notes:
      'First make sure that they are who they say they are. All their sign-ins end, they get a mail, and the audit log\n' +
      'of each of their tenants says that the operator did it. Their password stays.',
    options: { user },
    example: 'user remove-factors --user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
    async preview(database, { user: userId }) {
      const { email } = await database.asSystem((tx) => requireUser(tx, userId));
      return (
        `${printable(email)} would lose their authenticator app, passkeys and recovery codes, and be signed out ` +
        'everywhere: the password alone would let them in.'
      );
    },
    async run(database, { user: userId }) {
      await database.asSystem((tx) => requireUser(tx, userId));
      const { removeFactors } = await loadRecovery();
      const removed = await removeFactors(database, userId);
      const text =
        removed === 0
          ? `User ${userId} has no second factor.`
          : `Removed ${removed} ${removed === 1 ? 'factor' : 'factors'} of user ${userId}. Their sign-ins have ended.`;
      return { text, data: { userId, removed } };
    },
  }),
  defineCommand({
    noun: 'user',
    verb: 'reset-link',
    summary: 'Print a link to choose a new password, for a person whom mail does not reach.',
    notes:
      'The link works once, for 30 minutes, for anyone who has it: hand it over in a way you trust. A second factor\n' +
      'is still asked for at sign-in. The audit log of each of their tenants says that the operator made it.',
    options: { user },
    example: 'user reset-link --user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
    async run(database, { user: userId }, { config }) {
      await database.asSystem((tx) => requireUser(tx, userId));
      const { makeResetPath } = await loadRecovery();
      const path = await makeResetPath(database, createLinkTokens(config.hashKeys), userId);
      await auditAs(database, 'operator', { userId, action: 'password.reset-link-made', details: {} });
      const link = `${config.baseUrl}${path}`;
      return {
        text: `The link is shown only once. It works once, for 30 minutes:\n\n  ${link}`,
        data: { userId, link },
      };
    },
  }),
  defineCommand({
    noun: 'user',
    verb: 'factor-link',
    summary: 'Print a link to set up a first second factor, for a person whom mail does not reach.',
    notes:
      'First make sure that they are who they say they are. The link works once, for 30 minutes, in a browser in which this\n' +
      'person is signed in. The audit log of each of their tenants says that the operator made it.',
    options: { user },
    example: 'user factor-link --user 01997c2f-03b4-7e52-8a1d-6c9f40e2b718',
    async run(database, { user: userId }, { config }) {
      await database.asSystem((tx) => requireUser(tx, userId));
      const linkTokens = createLinkTokens(config.hashKeys);
      const path = await makeLinkPath({ database, linkTokens }, userId);
      if (path === undefined) {
        throw new Refusal("The person has a second factor. If they lost it, 'user remove-factors' removes it first.");
      }
      await auditAs(database, 'operator', { userId, action: 'factor.link-made', details: {} });
      const link = `${config.baseUrl}${path}`;
      return {
        text: `The link is shown only once. It works once, for 30 minutes:\n\n  ${link}`,
        data: { userId, link },
      };
    },
  }),
];
