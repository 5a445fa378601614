// JSON with sorted keys: the same body in another order gives the same text. Undefined for a body nested too deeply to
// be legitimate: recursion over it could exhaust the stack.
const DEPTH_MAX = 64;
/**
 * No legitimate object has more names. Sorting the names of the worst body that fits would keep the event loop busy for as
 * long as all the rest of its work; such an object counts as sent, order included.
 */
const SORTED_NAMES_MAX = 1_000;

export function canonicalJson(value: unknown): string | undefined {
  return depthWithin(value, DEPTH_MAX) ? write(value) : undefined;
}

function depthWithin(value: unknown, left: number): boolean {
  if (value === null || typeof value !== 'object') return true;
  return left > 0 && Object.values(value).every((inner) => depthWithin(inner, left - 1));
}

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields);
  if (names.length > SORTED_NAMES_MAX) return JSON.stringify(fields);
  // By code units, the default sort order: a comparison function would cost twice as much.
  names.sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${write(fields[name])}`).join(',')}}`;
}
