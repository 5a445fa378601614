// The fields of an answer's data that the previous version does not know, from the openapi.json of both versions: in them alone
// a retry that the other version answers may differ.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isSchema, resolve, type Schema, variantsOf } from '../api-changes/variants.ts';
import type { Stage } from './stage.ts';

/** The operations whose answers flows compare (tools/chaos/flows.ts). */
const COMPARED = ['', '/{creditReportId}/otp-challenge', '/{creditReportId}/resend-sms'].map(
  (rest) => `/{tenantId}/v1/credit-reports${rest}`,
);
const STEPS_TO_DATA = ['post', 'responses', '200', 'content', 'application/json', 'schema', 'properties', 'data'];

function fieldsOf(document: Document): string[] {
  const within = (part: Schema, step: string): Schema => {
    const found = resolve(document, part)[step];
    if (!isSchema(found)) throw new Error(`openapi.json has no ${step} where the data of an answer should be.`);
    return found;
  };
  return COMPARED.flatMap((path) =>
    variantsOf(document, ['paths', path, ...STEPS_TO_DATA].reduce(within, document)).flatMap(({ schema }) =>
      Object.keys(within(schema, 'properties')),
    ),
  );
}

export const newFields = (documents: Readonly<Record<'previous' | 'new', Document>>): ReadonlySet<string> =>
  new Set(fieldsOf(documents.new)).difference(new Set(fieldsOf(documents.previous)));

export async function readNewFields(directories: Stage['directories']): Promise<ReadonlySet<string>> {
  const read = async (directory: string): Promise<Document> =>
    JSON.parse(await readFile(join(directory, 'openapi.json'), 'utf8'));
  return newFields({ previous: await read(directories.previous), new: await read(directories.new) });
}
