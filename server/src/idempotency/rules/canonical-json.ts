// JSON with sorted keys: the same body in another order gives the same text. Undefined for a body nested too deeply to
// be legitimate: recursion over it could exhaust the stack.
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
  const fields = value as Readonly<Record<string, unknown>>;
  // By code units, the default sort order: a comparison function would cost twice as much.
  const names = Object.keys(fields).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${write(fields[name])}`).join(',')}}`;
}
