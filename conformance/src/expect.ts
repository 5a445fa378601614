// Expectations about values. Each failure says what was expected and what was seen.
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Shape, show } from './shape.ts';

/** A guarantee that did not hold. */
export class Mismatch extends Error {
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}; saw ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}

export function equal(what: string, seen: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(seen, expected)) throw new Mismatch(`${what} to be ${show(expected)}`, show(seen));
}

export function holds(condition: boolean, expected: string, seen: unknown): asserts condition {
  if (!condition) throw new Mismatch(expected, typeof seen === 'string' ? seen : show(seen));
}

export function fits(what: string, value: unknown, shape: Shape): void {
  const faults = shape(what, value);
  if (faults.length > 0) throw new Mismatch(`${what} in the documented shape`, faults.slice(0, 6).join('; '));
}

/** Compares two values and, where they differ, names the first path that does. */
export function same(what: string, seen: unknown, expected: unknown): void {
  const at = firstDifference(what, seen, expected);
  if (at) throw new Mismatch(`${at.path} to be ${show(at.expected)}`, show(at.seen));
}

type Difference = { readonly path: string; readonly seen: unknown; readonly expected: unknown };

function firstDifference(path: string, seen: unknown, expected: unknown): Difference | undefined {
  if (isDeepStrictEqual(seen, expected)) return undefined;
  const comparable = (isObject(seen) && isObject(expected)) || (Array.isArray(seen) && Array.isArray(expected));
  if (comparable) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(seen)])) {
      const inner = firstDifference(`${path}.${key}`, dig(seen, key), dig(expected, key));
      if (inner) return inner;
    }
  }
  return { path, seen, expected };
}

/** The value at a dotted path, undefined where the path ends early. */
export function dig(value: unknown, path: string): unknown {
  let current = value;
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

/** The list at a dotted path; anything else there is a mismatch. */
export function digList(value: unknown, path: string): unknown[] {
  const found = dig(value, path);
  holds(Array.isArray(found), `a list at ${path}`, found);
  return found;
}
