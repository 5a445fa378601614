// Reads the fields of a request as Vault does: numbers and flags may come as text, bytes come as standard Base64.
import { VaultError } from './errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function readFields(body: Buffer): Fields {
  if (body.length === 0) return {};
  try {
    const fields: unknown = JSON.parse(body.toString('utf8'));
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Fields;
  } catch {
    // The error below is the answer.
  }
  throw new VaultError(400, 'failed to parse JSON input: invalid JSON');
}

/** `""` when it is absent. */
export function text(fields: Fields, name: string): string {
  const value = fields[name] ?? '';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw wrong(name, value, 'string');
}

/** Undefined when it is absent. */
export function whole(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number)) return number;
  throw wrong(name, value, 'int');
}

/** Undefined when it is absent. */
export function flag(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw wrong(name, value, 'bool');
}

/** Undefined when it is no standard Base64 with its padding. */
export function decode(encoded: string): Buffer | undefined {
  return /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(encoded)
    ? Buffer.from(encoded, 'base64')
    : undefined;
}

/** The sentence of the language that Vault is written in. */
export function illegalBase64(encoded: string): string {
  const [good = ''] = /^(?:[A-Za-z\d+/]{4})*[A-Za-z\d+/]{0,3}/.exec(encoded) ?? [];
  const place = good.length < encoded.length ? good.length : Math.floor(encoded.length / 4) * 4;
  return `illegal base64 data at input byte ${place}`;
}

const wrong = (name: string, value: unknown, type: string) =>
  new VaultError(
    400,
    `Field validation failed: error converting input ${JSON.stringify(value)} for field "${name}": expected type '${type}'`,
  );
