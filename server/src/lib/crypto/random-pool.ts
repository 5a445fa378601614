// Random bytes from a pool: a system call for each dozen bytes would cost as much as the work that uses them.
import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);

/** Returns bytes that no other caller gets. */
export function takeRandom(bytes: number): Buffer {
  if (pool.length < bytes) pool = randomBytes(Math.max(bytes, POOL_BYTES));
  const taken = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return taken;
}
