// Small builders shared by the wire's schemas. Words starting with `x-` are our own annotations: the server's
// validator gives them their meaning, and OpenAPI readers may ignore them.
import { type TSchema, type TSchemaOptions, type TUnsafe, Type } from 'typebox';

/** Trimmed before it is measured, then 1 to `maxLength` characters. */
export function text(description: string, maxLength = 100) {
  return Type.String({ 'x-trim': true, minLength: 1, maxLength, description });
}

/** For what is kept or searched for as it is: the database's text has no NUL, and nobody can see the others. */
export const NO_CONTROL = '^[^\\u0000-\\u001f\\u007f]*$';

/** A closed list of words, as a plain JSON Schema enum. */
export function oneOf<const T extends readonly string[]>(values: T, options: TSchemaOptions = {}): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/** Always present on the wire; null where the bureaus did not say (docs/decisions/0014). */
export function orNull<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

export const Instant = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC.` });
