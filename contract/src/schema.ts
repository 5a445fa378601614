// Small builders shared by the wire's schemas. Keywords starting with `x-` are our own annotations: the server's
// validator implements them, and OpenAPI readers may ignore them.
import { type Static, type TSchema, type TSchemaOptions, type TUnsafe, Type } from 'typebox';

/** The validator trims the text first, then requires 1 to `maxLength` characters. */
export function text(description: string, maxLength = 100) {
  return Type.String({ 'x-trim': true, minLength: 1, maxLength, description });
}

/**
 * A missing field, `null` and `""` mean the same, because forms send blanks. The server removes blanks before it
 * validates (docs/decisions/0164-input-as-people-send-it.md).
 */
export function orBlank<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Unsafe<Static<T>>({ ...schema, 'x-blank': 'absent' }));
}

/** For text stored or searched as it is: PostgreSQL text cannot hold NUL, and the other characters are invisible. */
export const NO_CONTROL = '^[^\\u0000-\\u001f\\u007f]*$';

/** A closed list of strings, as a plain JSON Schema enum. */
export function oneOf<const T extends readonly string[]>(values: T, options: TSchemaOptions = {}): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/** Always present on the wire; null where the bureaus gave no value (docs/decisions/0014-presence.md). */
export function orNull<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

/** For requests: an id in upper case is the same id. */
export const GivenId = (description: string) => Type.String({ 'x-id': true, format: 'uuid', description });

export const Instant = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC.` });
