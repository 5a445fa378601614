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

/** `wrong` is the id of a control that mishandles one of the lists of keys. */
export function makeSteps(keyService: object, wrong?: string): Readonly<Record<Step, Settings>> {
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
  const signing = {
    known: [...oldSigning, ...newSigning],
    first: [...newSigning, ...oldSigning],
    alone: newSigning,
  };
  const evidence = { known: [oldEvidence, newEvidence], first: [newEvidence, ended], alone: [newEvidence] };
  const newFirst = rings(
    ['new', 'old'],
    signing[wrong === 'signing-gone' ? 'alone' : 'first'],
    evidence[wrong === 'evidence-gone' ? 'alone' : 'first'],
  );
  // The old vault key is gone here. The old signing key stays for the fifteen minutes of its tokens, the old hash key for a day.
  const newAlone = { ...newFirst, TREFOIL_VAULT_KEYS: vault.new };
  const service = (more: object) => ({ TREFOIL_KEY_SERVICE: JSON.stringify({ ...keyService, ...more }) });
  return {
    old: rings(['old'], oldSigning, [oldEvidence]),
    known: rings(
      ['old', 'new'],
      signing[wrong === 'signing-early' ? 'first' : 'known'],
      evidence[wrong === 'evidence-early' ? 'first' : 'known'],
    ),
    first: newFirst,
    opens: { ...newAlone, ...service({ wrapBy: 'ring' }) },
    wraps: { ...newAlone, ...service({}) },
  };
}

/** What the drill finds where a node does not know what another one signs with (hand-over.ts). */
export const FRESH_TOKEN = 'a fresh token of one node is accepted by the other';
export const OLDER_TOKEN = 'a token from before a step is accepted until it ends';
export const FRESH_EVIDENCE = 'evidence of one node is verified with the keys of the other';
export const HANDED_ON = 'tokens and evidence can be made, read and tried at every node';
export const OLDER_EVIDENCE = 'evidence from before a step is verified with the keys of every node';

export type Control = {
  readonly id: string;
  readonly sentence: string;
  /** Left out of the drill, as an operator in a hurry would. The settings of the other controls are wrong (`makeSteps`). */
  readonly leavesOut?: 'known' | 'rotate';
  /** With its words where nodes do not start: each says its own reason. */
  readonly finding: Sign;
};

const NOT_READY = /^every node becomes ready$/;
const findingOf = (about: string) => new RegExp(`^${about}$`);

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
  {
    id: 'signing-early',
    sentence: 'the new signing key signs tokens before every node knows it',
    finding: { about: findingOf(FRESH_TOKEN) },
  },
  {
    id: 'signing-gone',
    sentence: 'the old signing key is removed while its tokens live',
    finding: { about: findingOf(OLDER_TOKEN) },
  },
  {
    id: 'evidence-early',
    sentence: 'the new evidence key signs before every node publishes it',
    finding: { about: findingOf(FRESH_EVIDENCE) },
  },
  {
    id: 'evidence-gone',
    sentence: 'the old evidence key is removed, with evidence that it signed',
    finding: { about: findingOf(OLDER_EVIDENCE) },
  },
];
