// UUID version 7: time-ordered, so that keys arrive in index order and tables can be partitioned by them.
import { takeRandom } from './crypto/random-pool.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** An id in capitals is the same id (RFC 9562, 4); any other text stays unchanged. */
export function canonicalId(text: string): string {
  const lower = text.toLowerCase();
  return isUuid(lower) ? lower : text;
}

export function newId(nowMs: number = Date.now()): string {
  const bytes = takeRandom(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The lowest id that can be made at an instant: with it, a time range becomes an id range. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
