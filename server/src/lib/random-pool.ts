// Random bytes out of a pool: asking the system for each dozen of them costs as much as what they are used for.
import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);

/** Bytes that nobody else has been or will be given. */
export function takeRandom(bytes: number): Buffer {
  if (pool.length < bytes) pool = randomBytes(Math.max(bytes, POOL_BYTES));
  const taken = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return taken;
}
