// Checks a chain row by row and lists its damage. The hashes show whether there is damage; chain-step.ts determines which kind
// (docs/decisions/0135-audit-log.md). Pure: the caller passes the hash function.
import { takeAside, takeStep } from './chain-step.ts';
import {
  type Anchor,
  type Finding,
  type HashOf,
  type Head,
  isFull,
  lastHash,
  REACH,
  report,
  rowsInWords,
  type StoredRow,
  startWalk,
  type Walk,
} from './chain-walk.ts';

export { type Anchor, FINDINGS_MAX, FIRST_HASH, type Finding, type Head, type StoredRow } from './chain-walk.ts';

export interface ChainCheck {
  /** Rows in the order of their numbers. */
  add(rows: readonly StoredRow[]): void;
  /** Call it after the last row. */
  end(head: Head | undefined): readonly Finding[];
  readonly isFull: boolean;
}

/** Leaves `leave` rows waiting: the rows after a break help to determine the kind of damage. */
function takeSteps(walk: Walk, leave: number): void {
  while (walk.waiting.length > leave && !isFull(walk)) {
    const [first] = walk.waiting;
    if (first) takeStep(walk, first);
  }
}

/** The stored head compared with the last row: `ahead` means that rows are missing, `behind` that rows were added. */
type HeadState =
  | { readonly kind: 'fits' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ahead'; readonly head: Head }
  | { readonly kind: 'unlike' }
  | { readonly kind: 'behind'; readonly head: Head };

function headStateOf(walk: Walk, head: Head | undefined): HeadState {
  const { place, lastStored } = walk;
  if (!head) return { kind: place > 0 ? 'missing' : 'fits' };
  const isEnd = head.seq === place || head.seq === lastStored;
  if (isEnd && head.hash === lastHash(walk)) return { kind: 'fits' };
  if (head.seq > Math.max(place, lastStored)) return { kind: 'ahead', head };
  return isEnd ? { kind: 'unlike' } : { kind: 'behind', head };
}

function reportHead(walk: Walk, state: HeadState): void {
  const { findings, lastStored } = walk;
  switch (state.kind) {
    case 'fits':
      return;
    case 'missing':
      report(walk, 'truncated', lastStored, 'the head of the chain is missing');
      return;
    case 'ahead': {
      const [from, to] = [lastStored + 1, state.head.seq];
      report(walk, 'truncated', from, `${rowsInWords(from, to)} ${from === to ? 'is' : 'are'} missing at the end`);
      return;
    }
    case 'unlike':
      report(walk, 'edited', lastStored, `the head does not fit row ${lastStored}: one of them was changed`);
      return;
    case 'behind': {
      // Rows after the head should not exist, so other damage to them is not reported separately.
      const { seq } = state.head;
      const kept = findings.filter((finding) => finding.seq <= seq);
      findings.splice(0, findings.length, ...kept);
      report(walk, 'inserted', seq + 1, `${rowsInWords(seq + 1, lastStored)} came in behind the head`);
      return;
    }
  }
}

function reportAnchors(walk: Walk): void {
  for (const { seq } of walk.anchors.filter((anchor) => anchor.seq > walk.place)) {
    report(walk, 'truncated', walk.place + 1, `the chain ended at row ${seq} once, and ends before it now`);
  }
}

export function createChainCheck(hashOf: HashOf, anchors: readonly Anchor[]): ChainCheck {
  const walk = startWalk(hashOf, anchors);
  return {
    get isFull() {
      return isFull(walk);
    },
    add(rows) {
      walk.waiting.push(...rows);
      takeSteps(walk, REACH);
    },
    end(head) {
      takeSteps(walk, 0);
      while (takeAside(walk));
      if (isFull(walk)) return walk.findings;
      for (const row of walk.aside.splice(0)) walk.lastStored = Math.max(walk.lastStored, row.seq);
      reportHead(walk, headStateOf(walk, head));
      reportAnchors(walk);
      return walk.findings;
    },
  };
}
