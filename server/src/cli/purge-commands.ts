// Deletes what has expired, at once.
import { purgePayloads } from '../identity/provider/purge-payloads.ts';
import { defineCommand } from './command.ts';

export const PURGE_COMMANDS = [
  defineCommand({
    noun: 'purge',
    summary: 'Delete expired rows that the token endpoint no longer needs.',
    notes: 'Safe at any time; once a day is plenty. It deletes no reports, credentials or people.',
    options: {},
    example: 'purge',
    async run(database) {
      const deleted = await purgePayloads(database);
      return { text: `Deleted ${deleted} expired ${deleted === 1 ? 'row' : 'rows'}.`, data: { deleted } };
    },
  }),
];
