// Reads the fields of a request, with the errors AWS gives for a wrong one.
import type { EncryptionContext } from './ciphertext.ts';
import { invalid, KmsError } from './errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function readFields(body: Buffer): Fields {
  try {
    const fields: unknown = JSON.parse(body.toString('utf8'));
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Fields;
  } catch {
    // The error below is the answer.
  }
  throw new KmsError('SerializationException');
}

export function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new KmsError('SerializationException');
  return value;
}

export function text(fields: Fields, name: string, lengthMax = 2048): string {
  const value = optionalText(fields, name);
  if (value === undefined) throw invalid(memberOf(name), value, 'Member must not be null');
  if (value.length < 1) throw invalid(memberOf(name), value, 'Member must have length greater than or equal to 1');
  if (value.length > lengthMax)
    throw invalid(memberOf(name), value, `Member must have length less than or equal to ${lengthMax}`);
  return value;
}

/** Undefined when the field is absent. */
export function whole(fields: Fields, name: string, from: number, to: number): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (!Number.isInteger(value)) throw new KmsError('SerializationException');
  if (Number(value) < from)
    throw invalid(memberOf(name), value, `Member must have value greater than or equal to ${from}`);
  if (Number(value) > to) throw invalid(memberOf(name), value, `Member must have value less than or equal to ${to}`);
  return Number(value);
}

/** Base64 on the wire. */
export function blob(fields: Fields, name: string, bytesMax: number): Buffer {
  const value = optionalText(fields, name);
  if (value === undefined) throw invalid(memberOf(name), value, 'Member must not be null');
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(value))
    throw new KmsError('SerializationException');
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length < 1) throw invalid(memberOf(name), value, 'Member must have length greater than or equal to 1');
  if (bytes.length > bytesMax)
    throw invalid(memberOf(name), '<bytes>', `Member must have length less than or equal to ${bytesMax}`);
  return bytes;
}

export function context(fields: Fields, name = 'EncryptionContext'): EncryptionContext {
  const value = fields[name] ?? {};
  if (
    typeof value !== 'object' ||
    Array.isArray(value) ||
    Object.values(value).some((each) => typeof each !== 'string')
  )
    throw new KmsError('SerializationException');
  return value as EncryptionContext;
}

const memberOf = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
