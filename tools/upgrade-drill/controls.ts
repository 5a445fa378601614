// Mistakes that an upgrade could contain, to plant: the drill must find each of them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sign } from '../chaos/tally.ts';

export type Control = {
  readonly id: string;
  readonly sentence: string;
  readonly finding: Sign;
  /** A migration of the new version that breaks the previous one. */
  readonly migration?: string;
  /** Nodes are killed instead of stopped. */
  readonly isKilled?: true;
};

export const CONTROLS: readonly Control[] = [
  {
    id: 'required-column',
    sentence: 'a new column is required, and the previous version does not write it',
    // HAProxy's own 502 and 504 have other causes.
    finding: { about: /^no answer is a 5xx but 503$/, example: /: 500$/ },
    migration: 'alter table credit_reports alter column source drop default;',
  },
  {
    id: 'no-drain',
    sentence: 'nodes are killed without draining',
    // Whether a request is under way when its node is killed is chance; the node refuses the next one for certain.
    finding: { about: /^(no answer is cut|no node that the proxy uses refuses a connection)$/ },
    isKilled: true,
  },
];

/** After all others, in the copy that the new version runs from. */
export async function plantMigration(directory: string, { migration }: Control): Promise<void> {
  if (migration !== undefined) await writeFile(join(directory, 'server/migrations/9999_planted.sql'), `${migration}\n`);
}
