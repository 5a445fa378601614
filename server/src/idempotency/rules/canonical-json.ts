// JSON with sorted keys: the same body written in another order is the same body.
// Undefined for a body nested too deeply to be an honest one: recursion over it could exhaust the stack.
const DEPTH_MAX = 64;

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
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`).join(',')}}`;
}
