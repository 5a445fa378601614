// Says how far a rotation of the hash key is (docs/operate/hash-key.md). It changes nothing and prints no key.
import { countRecoveryKeys } from '../identity/factors/count-recovery-keys.ts';
import type { HashKey } from '../lib/crypto/hash-ring.ts';
import { findConflict, listRings, RING_HOURS, type SeenRing } from '../lib/hash-rings.ts';
import { defineCommand } from './command.ts';
import { inWords, minute, table } from './print.ts';

const HOUR_MS = 3_600_000;

/**
 * When a ring of the first key alone finds everything of the last day: so long after the last process that did not have this
 * key, or that still derived tokens with another. Undefined while such a process runs.
 */
export function findAloneAt(first: string, rings: readonly SeenRing[]): Date | undefined {
  const before = rings.filter(({ fingerprints }) => fingerprints[0] !== first);
  if (before.some(({ isRunning }) => isRunning)) return undefined;
  return new Date(Math.max(0, ...before.map(({ seenAt }) => seenAt.getTime() + RING_HOURS * HOUR_MS)));
}

function describeNext(
  { ring, retired, conflict }: { ring: readonly HashKey[]; retired: readonly HashKey[]; conflict: boolean },
  aloneAt: Date | undefined,
): string {
  if (conflict) return 'This ring does not fit that of other processes: none would start with it.';
  const [first, ...others] = ring.map(({ id }) => id);
  if (others.length === 0) {
    const kept = retired.length > 0 ? ` Retired: ${inWords(retired.map(({ id }) => id))}.` : '';
    return `No rotation is under way.${kept}`;
  }
  if (aloneAt === undefined) {
    return `Processes run whose ring begins with another key than ${first}: restart them with this ring.`;
  }
  const what = `${inWords(others)} may move to TREFOIL_RETIRED_HASH_KEYS`;
  return aloneAt <= new Date() ? `${what} now.` : `${what} from ${minute(aloneAt)} on.`;
}

export const HASH_KEY_COMMANDS = [
  defineCommand({
    noun: 'keys',
    verb: 'hash',
    summary: 'Show how far a rotation of the hash key is: which rings run, and which keys are still needed.',
    notes:
      'It prints ids and fingerprints, never a key. A ring that no process has used for 30 days is forgotten. References\n' +
      'are kept for good: a retired key is needed as long as reports of its time are searched by reference.',
    options: {},
    example: 'keys hash',
    async run(database, _values, { config }) {
      const { hashKeys, retiredHashKeys } = config;
      const ids = new Map([...hashKeys, ...retiredHashKeys].map(({ id, fingerprint }) => [fingerprint, id]));
      const nameOf = (fingerprint: string) => ids.get(fingerprint) ?? `unknown (${fingerprint})`;
      const rings = await database.asSystem(listRings);
      const conflict = (await findConflict(database, hashKeys)) !== undefined;
      const aloneAt = findAloneAt(hashKeys[0].fingerprint, rings);
      const recovery = await countRecoveryKeys(database);
      const next = describeNext({ ring: hashKeys, retired: retiredHashKeys, conflict }, aloneAt);
      const lines = rings.map((ring) => [
        ring.fingerprints.map(nameOf).join(', '),
        minute(ring.beganAt),
        minute(ring.seenAt),
        ring.isRunning ? 'runs' : 'ended',
      ]);
      const codes = recovery.map(({ keyId, people }) => [
        keyId === null ? 'not known: before rings' : nameOf(keyId),
        String(people),
      ]);
      const text = [
        table(['RING', 'SINCE', 'LAST SEEN', 'STATE'], lines),
        ...(codes.length > 0 ? [table(['RECOVERY CODES UNDER', 'PEOPLE'], codes)] : []),
        next,
      ].join('\n\n');
      const data = {
        keys: hashKeys.map(({ id, fingerprint }) => ({ id, fingerprint })),
        retired: retiredHashKeys.map(({ id, fingerprint }) => ({ id, fingerprint })),
        rings,
        recoveryCodes: recovery,
        fits: !conflict,
        aloneAt: aloneAt ?? null,
      };
      return { text, data, isAlarm: conflict };
    },
  }),
];
