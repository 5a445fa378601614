// The settings of each state of a drill: how an operator changes the rings of the vault, the hashes, the tokens and the evidence in
// steps, so that every node knows a key before any node uses it (docs/operate/keys.md, docs/operate/hash-key.md). Pure.
import { newEvidenceKeys } from '../../server/src/evidence/evidence-keys.ts';
import { newKey, newSigningKeys } from '../../server/src/lib/crypto/secret-keys.ts';
import type { Sign } from '../chaos/tally.ts';

export type Settings = Readonly<Record<string, string>>;

/** The steps in their order. */
export const STEPS = ['old', 'known', 'first', 'opens', 'wraps'] as const;
export type Step = (typeof STEPS)[number];

const listOf = (text: string) => JSON.parse(text) as Record<string, unknown>[];

const HOUR_MS = 3_600_000;

export function makeSteps(keyService: object): Readonly<Record<Step, Settings>> {
  const vault = { old: `old:${newKey()}`, new: `new:${newKey()}` };
  const hash = { old: `old:${newKey()}`, new: `new:${newKey()}` };
  const [oldSigning, newSigning] = [listOf(newSigningKeys()), listOf(newSigningKeys())];
  const [[oldEvidence = {}], [newEvidence = {}]] = [listOf(newEvidenceKeys()), listOf(newEvidenceKeys())];
  const { d: _, ...oldPublic } = oldEvidence;
  const ended = { ...oldPublic, validUntil: new Date(Date.now() + 24 * HOUR_MS).toISOString() };
  const rings = (order: readonly ('old' | 'new')[], signing: object[], evidence: object[]) => ({
    TREFOIL_VAULT_KEYS: order.map((age) => vault[age]).join(','),
    TREFOIL_HASH_KEYS: order.map((age) => hash[age]).join(','),
    TREFOIL_SIGNING_KEYS: JSON.stringify(signing),
    TREFOIL_EVIDENCE_KEYS: JSON.stringify(evidence),
  });
  const newFirst = rings(['new', 'old'], [...newSigning, ...oldSigning], [newEvidence, ended]);
  // The old vault key is gone here. The old signing key stays for the fifteen minutes of its tokens, the old hash key for a day.
  const newAlone = { ...newFirst, TREFOIL_VAULT_KEYS: vault.new };
  const service = (more: object) => ({ TREFOIL_KEY_SERVICE: JSON.stringify({ ...keyService, ...more }) });
  return {
    old: rings(['old'], oldSigning, [oldEvidence]),
    known: rings(['old', 'new'], [...oldSigning, ...newSigning], [oldEvidence, newEvidence]),
    first: newFirst,
    opens: { ...newAlone, ...service({ wrapBy: 'ring' }) },
    wraps: { ...newAlone, ...service({}) },
  };
}

export type Control = {
  readonly id: string;
  readonly sentence: string;
  /** Left out of the drill, as an operator in a hurry would. */
  readonly leavesOut: 'known' | 'rotate';
  /** With its words: each node that does not start says its own reason. */
  readonly finding: Sign;
};

const NOT_READY = /^every node becomes ready$/;

export const CONTROLS: readonly Control[] = [
  {
    id: 'at-once',
    sentence: 'the new keys go first before every node knows them',
    leavesOut: 'known',
    finding: { about: NOT_READY, example: /TREFOIL_HASH_KEYS begins with a key that running processes do not have/ },
  },
  {
    id: 'not-rotated',
    sentence: 'the old vault key is removed without keys rotate',
    leavesOut: 'rotate',
    finding: { about: NOT_READY, example: /TREFOIL_VAULT_KEYS lacks old/ },
  },
];
