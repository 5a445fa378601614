// Puts the parts of operations that a document keeps as components where they are referred to: whether a response, a header or a
// parameter is written out or has a name is no change to the wire. Schemas keep their references: their names tell changes apart.
import { type Document, isSchema, resolve } from './variants.ts';

const PART = /^#\/components\/(?!schemas\/)/;

export function inlineParts(document: Document): Document {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isSchema(value)) return value;
    const part = PART.test(String(value['$ref'])) ? resolve(document, value) : value;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, inline(inner)]));
  };
  return { ...document, paths: inline(document['paths']), webhooks: inline(document['webhooks']) };
}
