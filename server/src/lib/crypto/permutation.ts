// Keyed permutations: a number that counts something becomes one that tells nothing to a reader without the key, and no two
// numbers become the same. What is permuted must differ from time to time: equal numbers become equal ones.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/** One derived key for each purpose: permuted numbers of one say nothing about those of another. */
const keyFor = (rootKey: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', rootKey, '', `trefoil/${purpose}`, 32));

/** AES itself, on single blocks: in this mode and without padding, each call answers its own block and remembers nothing. */
const MODE = 'aes-256-ecb';
export const BLOCK_BYTES = 16;

/** Permutes blocks of 16 bytes. */
export function createBlockPermutation(rootKey: Buffer, purpose: string) {
  const key = keyFor(rootKey, purpose);
  const cipher = createCipheriv(MODE, key, null).setAutoPadding(false);
  const decipher = createDecipheriv(MODE, key, null).setAutoPadding(false);
  return {
    permute: (block: Buffer): Buffer => cipher.update(block),
    undo: (block: Buffer): Buffer => decipher.update(block),
  };
}

/** As many as FF1 of NIST SP 800-38G has. */
const ROUNDS = 10;

/**
 * Permutes the numbers of 64 bits: a Feistel network whose rounds are AES. Many at once: a call of the cipher costs far more than
 * a block.
 */
export function createNumberPermutation(rootKey: Buffer, purpose: string) {
  const cipher = createCipheriv(MODE, keyFor(rootKey, purpose), null).setAutoPadding(false);

  function mix(round: number, halves: readonly number[], others: readonly number[]): number[] {
    const blocks = Buffer.alloc(halves.length * BLOCK_BYTES);
    for (const [place, half] of halves.entries()) {
      blocks.writeUInt32BE(round, place * BLOCK_BYTES);
      blocks.writeUInt32BE(half, place * BLOCK_BYTES + 4);
    }
    const mixed = cipher.update(blocks);
    return others.map((other, place) => (other ^ mixed.readUInt32BE(place * BLOCK_BYTES)) >>> 0);
  }

  const split = (numbers: readonly bigint[]) => ({
    lefts: numbers.map((number) => Number(number >> 32n)),
    rights: numbers.map((number) => Number(number & 0xffff_ffffn)),
  });
  const join = ({ lefts, rights }: ReturnType<typeof split>) =>
    lefts.map((left, place) => (BigInt(left) << 32n) | BigInt(rights[place] ?? 0));

  return {
    permute(numbers: readonly bigint[]): bigint[] {
      let { lefts, rights } = split(numbers);
      for (let round = 0; round < ROUNDS; round += 1) [lefts, rights] = [rights, mix(round, rights, lefts)];
      return join({ lefts, rights });
    },
    undo(numbers: readonly bigint[]): bigint[] {
      let { lefts, rights } = split(numbers);
      for (let round = ROUNDS - 1; round >= 0; round -= 1) [lefts, rights] = [mix(round, lefts, rights), lefts];
      return join({ lefts, rights });
    },
  };
}
