// Makes the keys of an installation at random; stores none of them.
import { newEvidenceKeys } from '../evidence/evidence-keys.ts';
import { isRingKeyId, newKey, newSigningKeys } from '../lib/crypto/secret-keys.ts';
import { defineStandaloneCommand } from './command.ts';
import { optional, UsageError, word } from './options.ts';
import { day } from './print.ts';

const SETTINGS = {
  vault: 'TREFOIL_VAULT_KEYS',
  hash: 'TREFOIL_HASH_KEY',
  signing: 'TREFOIL_SIGNING_KEYS',
  evidence: 'TREFOIL_EVIDENCE_KEYS',
} as const;
const KINDS = ['vault', 'hash', 'signing', 'evidence'] as const;
const WITH_ID: readonly string[] = ['vault', 'hash'];

const ringKeyId = {
  placeholder: 'id',
  expected: '1 to 64 letters, digits, dots, hyphens and underscores',
  parse: (given: string) => (isRingKeyId(given) ? given : undefined),
};

export const KEY_COMMANDS = [
  defineStandaloneCommand({
    noun: 'keys',
    verb: 'new',
    summary: 'Create the keys of an installation: for the vault, the hashes, the tokens and the evidence.',
    notes:
      'It prints secrets and stores none: send them straight to your secret store. Without --only it prints all four\n' +
      'as lines of an environment file. With --only it prints one bare value, for a file that <setting>_FILE names.\n' +
      'Every node needs the same keys. To replace a key of a running installation, see docs/operate/keys.md first.',
    options: {
      only: optional(word(KINDS), `Only one key: ${KINDS.join(', ')}.`),
      id: optional(ringKeyId, "The id of the vault key or the hash key (default: today's date, which tells its age)."),
    },
    example: 'keys new --only vault --id 2026-03',
    async runAlone({ only, id }) {
      if (id !== undefined && !WITH_ID.includes(only ?? 'vault')) {
        throw new UsageError('--id is for the vault key and the hash key.');
      }
      const newRingKey = () => `${id ?? day(new Date())}:${newKey()}`;
      const make = {
        vault: newRingKey,
        hash: newRingKey,
        signing: () => newSigningKeys(),
        evidence: () => newEvidenceKeys(),
      };
      const made = KINDS.filter((kind) => kind === (only ?? kind)).map(
        (kind) => [SETTINGS[kind], make[kind]()] as const,
      );
      const lines = made.map(([setting, value]) => `${setting}='${value}'`);
      return { text: only ? String(made[0]?.[1]) : lines.join('\n'), data: Object.fromEntries(made) };
    },
  }),
];
