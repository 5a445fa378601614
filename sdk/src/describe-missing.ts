// What a message says about a setting that is not a text. Never the value: a secret manager may have given it as bytes.
export function describeMissing(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'string') return value === '' ? 'empty' : 'blank';
  return `not a text but ${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`;
}
