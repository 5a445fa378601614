// What readers see instead of an event's number and place: its id, and cursors. All tenants share these numbers, so both are
// permuted under a key, and neither tells how much happens elsewhere (docs/decisions/0280-ids-that-do-not-count.md).
import assert from 'node:assert/strict';
import { BLOCK_BYTES, createBlockPermutation, createNumberPermutation } from '../lib/crypto/permutation.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { badCursor, readCursor, writeCursor } from '../lib/values/cursor.ts';
import type { StoredEvent } from './rules/public-event.ts';
import { type EventCursor, getNameKey, type NameKey } from './store.ts';

/** An odd number, so that the product below is different for every number. */
const SPREAD = 0x9e3779b97f4a7c15n;
/** The product of both is 1, modulo 2^64: it undoes the other. */
const GATHER = 0xf1de83e19937733dn;
const ID = /^evt_([0-9a-f]{16})$/;

const spread = (number: bigint) =>
  `evt_${BigInt.asUintN(64, number * SPREAD)
    .toString(16)
    .padStart(16, '0')}`;

/** No database comes to this many transactions or events: both fit into six bytes. */
const PLACES = 2 ** 48;
/** Permuted numbers are not below this: no id of one kind is ever one of the other. */
const PERMUTED = BigInt(PLACES);

type Permute = (numbers: readonly bigint[]) => bigint[];
type Permutation = { readonly permute: Permute; readonly undo: Permute };

/** Permutes the numbers from `PERMUTED` on among themselves: one that falls below, of 65,536 one, is permuted again. */
const permuteAbove = (permute: Permute, numbers: readonly bigint[]): bigint[] =>
  permute(numbers).flatMap((number) => (number < PERMUTED ? permuteAbove(permute, [number]) : [number]));

function numberBehind({ undo }: Permutation, id: string): number | undefined {
  const [, spread] = ID.exec(id) ?? [];
  if (spread === undefined) return undefined;
  const gathered = BigInt.asUintN(64, BigInt(`0x${spread}`) * GATHER);
  // Undoing goes the same way back, past the numbers that were permuted again.
  const [plain = 0n] =
    gathered < PERMUTED ? [gathered] : permuteAbove(undo, [gathered]).map((above) => above - PERMUTED);
  return plain > 0n && plain < PERMUTED ? Number(plain) : undefined;
}

/** A transaction and an event, as cursors were written before there was a key. */
const PLAIN = /^(\d{1,15})\.(\d{1,15})$/;

function parsePlain(cursor: string): EventCursor {
  const [, xactId = '', id = ''] = PLAIN.exec(readCursor(cursor, (text) => PLAIN.test(text))) ?? [];
  // No row has such a place, and it could not be written again.
  if (Number(xactId) >= PLACES || Number(id) >= PLACES) throw badCursor();
  return { xactId: String(Number(xactId)), id: Number(id) };
}

const isPlain = (cursor: string) => PLAIN.test(Buffer.from(cursor, 'base64url').toString());

/** Six bytes of each, and four that are 0: of a cursor that was changed, they hardly ever are. */
function toBlock({ xactId, id }: EventCursor): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeUIntBE(Number(xactId), 0, 6);
  block.writeUIntBE(id, 6, 6);
  return block;
}

function fromBlock(block: Buffer): EventCursor {
  if (block.readUInt32BE(12) !== 0) throw badCursor();
  return { xactId: String(block.readUIntBE(0, 6)), id: block.readUIntBE(6, 6) };
}

type Named = Pick<StoredEvent, 'id' | 'createdAt'>;

export interface EventNames {
  /** The ids of these events: the same for ever, on every node. */
  idsOf(events: readonly Named[]): (event: Named) => string;
  /** The number of the event that may have this id; undefined for a text that is none. The event itself says whether it has. */
  numberOf(id: string): number | undefined;
  writePlace(place: EventCursor): string;
  /**
   * Throws unless it is a cursor. Anyone can make up a plain one: `plainUntil` is then the time until which cursors were
   * written so, and no answer may tell how later events stand to the place. Undefined while that time has not come.
   */
  readPlace(cursor: string): { readonly place: EventCursor; readonly plainUntil: Date | undefined };
}

export function createEventNames({ key, keyedFrom, isKeyed }: NameKey): EventNames {
  const numbers = createNumberPermutation(key, 'event-ids');
  const blocks = createBlockPermutation(key, 'event-cursors');
  return {
    idsOf(events) {
      const keyed = events.flatMap(({ id, createdAt }) => (createdAt < keyedFrom ? [] : [id]));
      const permuted = permuteAbove(
        numbers.permute,
        keyed.map((id) => PERMUTED + BigInt(id)),
      );
      const shown = new Map(events.map(({ id }) => [id, BigInt(id)]));
      for (const [place, number] of permuted.entries()) shown.set(keyed[place] ?? 0, number);
      return ({ id }) => {
        const number = shown.get(id);
        assert(number !== undefined, 'an event that was not asked for has no id here');
        return spread(number);
      };
    },
    numberOf: (id) => numberBehind(numbers, id),
    writePlace: (place) =>
      isKeyed ? blocks.permute(toBlock(place)).toString('base64url') : writeCursor(`${place.xactId}.${place.id}`),
    readPlace(cursor) {
      if (isPlain(cursor)) return { place: parsePlain(cursor), plainUntil: isKeyed ? keyedFrom : undefined };
      const block = Buffer.from(cursor, 'base64url');
      if (block.length !== BLOCK_BYTES || block.toString('base64url') !== cursor) throw badCursor();
      return { place: fromBlock(blocks.undo(block)), plainUntil: undefined };
    },
  };
}

/** Read with the events: it costs less than they do, and a process need not keep it. */
export const readNames = async (tx: Tx): Promise<EventNames> => createEventNames(await getNameKey(tx));
