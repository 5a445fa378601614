// Takes evidence out of a file: one of our PDFs, or the answer of the API. The verification page runs it too, so the function
// is whole in itself and is given the others that it calls (verifier.ts).
import type { readRestricted } from '../rules/canonical-json.ts';
import type { Attachment, readPdfAttachments } from './pdf-attachments.ts';

export type Evidence = {
  readonly form: 'pdf' | 'json';
  readonly statement: Uint8Array;
  readonly signature: Uint8Array;
  /** The others, signed or not. */
  readonly files: readonly Attachment[];
  /** What stands beside these in the JSON: it repeats what is signed, or was added. A digest has the name of its file. */
  readonly beside: readonly (readonly [name: string, value: unknown])[];
};

export type Readers = {
  readonly readRestricted: typeof readRestricted;
  readonly readPdfAttachments: typeof readPdfAttachments;
};

/** Throws an Error with a reason for a file that holds no evidence. */
export async function readEvidence(readers: Readers, file: Uint8Array): Promise<Evidence> {
  if (new TextDecoder('latin1').decode(file.subarray(0, 5)) === '%PDF-') {
    const attachments = await readers.readPdfAttachments(file);
    const take = (name: string) => attachments.find((each) => each.name === name)?.bytes;
    const [statement, signature] = [take('statement.json'), take('statement.sig')];
    if (!statement || !signature) throw new Error('no signed statement is attached to it');
    const files = attachments.filter(({ name }) => name !== 'statement.json' && name !== 'statement.sig');
    return { form: 'pdf', statement, signature, files, beside: [] };
  }
  if (file.length > 20_000_000) throw new Error('the file is too large');
  type Given = { statement?: unknown; signature?: unknown; files?: unknown; data?: unknown; meta?: unknown };
  type GivenFile = { name: string; text: string };
  let given: Given | null;
  try {
    given = readers.readRestricted(new TextDecoder('utf-8', { fatal: true }).decode(file)) as Given | null;
  } catch {
    throw new Error('it is neither a report document (PDF) nor its evidence file (JSON)');
  }
  // The whole answer, or only what is in its envelope.
  const { data, meta: _meta, ...around } = given ?? {};
  const { statement, signature, files, ...fields } = ((data ?? given) || {}) as Given;
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isFile = (value: Partial<GivenFile> | null) => isText(value?.name) && isText(value?.text);
  const isBase64 = isText(signature) && /^[A-Za-z0-9+/]{86}==$/.test(signature);
  if (!isText(statement) || !isBase64 || !Array.isArray(files) || !files.every(isFile)) {
    throw new Error('it is neither a report document (PDF) nor its evidence file (JSON)');
  }
  const listed = (files as GivenFile[]).map(({ name, text }) => ({
    name,
    bytes: new TextEncoder().encode(text),
  }));
  if (new Set(listed.map(({ name }) => name)).size < listed.length) throw new Error('two files have one name');
  const besideFiles = (files as GivenFile[]).flatMap(({ name, text: _text, ...rest }) =>
    Object.entries(rest).map(([field, value]) => [field === 'sha256' ? name : `${field} of ${name}`, value] as const),
  );
  return {
    form: 'json',
    statement: new TextEncoder().encode(statement),
    signature: Uint8Array.from(atob(signature), (letter) => letter.charCodeAt(0)),
    files: listed,
    beside: [...Object.entries(data ? around : {}), ...Object.entries(fields), ...besideFiles],
  };
}
