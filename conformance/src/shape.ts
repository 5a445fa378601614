// Small shape checks that list every fault with its path. Fields a shape does not name are ignored, because the
// service may add fields inside v1.
export type Shape = (at: string, value: unknown) => string[];

/** A short, one-line rendering for messages; undefined is how an absent field looks after parsing. */
export function show(value: unknown, maxLength = 300): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function check(expected: string, test: (value: unknown) => boolean): Shape {
  return (at, value) => (test(value) ? [] : [`${at}: expected ${expected}, saw ${show(value, 120)}`]);
}

export const text = check('a string', (value) => typeof value === 'string');
export const filledText = check('a string that is not empty', (value) => typeof value === 'string' && value !== '');
export const flag = check('a boolean', (value) => typeof value === 'boolean');
export const integer = check('an integer', Number.isInteger);
export const count = check('an integer of 0 or more', (value) => Number.isInteger(value) && Number(value) >= 0);
export const absent = check('no such field', (value) => value === undefined);

export const exactly = (expected: unknown) => check(show(expected), (value) => value === expected);

export const oneOf = (...values: readonly string[]) =>
  check(`one of ${values.join(', ')}`, (value) => typeof value === 'string' && values.includes(value));

export const pattern = (expected: string, regex: RegExp) =>
  check(expected, (value) => typeof value === 'string' && regex.test(value));

export const uuid = pattern('a UUID', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
export const uuid7 = pattern(
  'a version 7 UUID',
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

export const date = check('a real date as YYYY-MM-DD', (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const parsed = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
});

export const instant = check(
  'an ISO 8601 UTC timestamp',
  (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
);

/** Present, but possibly null: how the service says that it does not know. */
export const orNull =
  (inner: Shape): Shape =>
  (at, value) =>
    value === null ? [] : inner(at, value);

export const list =
  (item: Shape): Shape =>
  (at, value) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) => item(`${at}[${index}]`, entry))
      : [`${at}: expected a list, saw ${show(value, 120)}`];

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const object =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (at, value) =>
    isObject(value)
      ? Object.entries(fields).flatMap(([name, shape]) => shape(`${at}.${name}`, value[name]))
      : [`${at}: expected an object, saw ${show(value, 120)}`];
