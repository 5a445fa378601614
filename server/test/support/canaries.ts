// How a secret might lie somewhere it must not, and how it is looked for.
import { createHash } from 'node:crypto';

/** A value as it might lie somewhere: in the clear, backwards, in hex, in base64 at any offset, or as a bare hash. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const hash = createHash('sha256').update(bytes).digest();
  // Only the characters that do not depend on the neighbours of the value.
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(offset === 0 ? 0 : offset + 1, (offset + bytes.length) % 3 === 0 ? undefined : -1);
  });
  return [
    value,
    value.toUpperCase(),
    value.toLowerCase(),
    [...value].toReversed().join(''),
    encodeURIComponent(value),
    bytes.toString('hex'),
    ...base64,
    hash.toString('hex'),
    hash.toString('base64').slice(0, -1),
    hash.toString('base64url'),
  ];
}
