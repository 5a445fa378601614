// What the client library takes from openapi.json besides types: lists of words as values, a name for each schema, and the
// document's own words about each method and schema as hover text. Pure: tools/openapi.ts writes the files.
import { libraryMethodOf } from '@trefoil/contract';

type Content = Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;
type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Schema = {
  readonly description?: string;
  readonly discriminator?: { readonly mapping: object };
  readonly properties?: {
    readonly code?: { readonly description: string; readonly anyOf: readonly { readonly const: string }[] };
  };
};
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const HEAD = '// Generated from openapi.json by `npm run openapi`. Do not edit.\n';

/** It would hide the language's own. The library has TrefoilError. */
const WITHOUT_NAME = ['Error'];

const methodOf = ({ operationId }: Described) => libraryMethodOf(operationId);

const operationsOf = ({ paths }: Document): Described[] =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => methodOf(operation) !== undefined);

function comment(text: string, indent = ''): string {
  // Such as the media type of everything, which would end the comment.
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].map((line) => `${indent}${line}\n`).join('');
}

/** An interface with a member for each method, whose types are the library's own to say. */
export function writeWords(document: Document): string {
  const members = operationsOf(document).map(
    (operation) =>
      `${comment(`${operation.summary}.\n\n${operation.description}`, '  ')}  ${methodOf(operation)}: unknown;\n`,
  );
  return `${HEAD}\nexport interface Words {\n${members.join('')}}\n`;
}

const refersTo = (content: Content | undefined, name: string) =>
  Object.values(content ?? {}).some(({ schema }) => schema?.$ref === `#/components/schemas/${name}`);

/** What a schema is: in its own words, or by the methods that send it or are answered with it. */
function describeSchema(document: Document, name: string, { description }: Schema): string {
  if (description) return description;
  const methods = (isUsed: (operation: Described) => boolean) =>
    operationsOf(document)
      .filter(isUsed)
      .map((operation) => `\`${methodOf(operation)}\``)
      .join(', ');
  const sent = methods(({ requestBody }) => refersTo(requestBody?.content, name));
  if (sent) return `What you send with ${sent}.`;
  return `The answer to ${methods(({ responses }) => Object.values(responses).some(({ content }) => refersTo(content, name)))}.`;
}

const list = (words: readonly string[]) => `[\n${words.map((word) => `  '${word}',\n`).join('')}] as const`;

/** The names that the library exports: values, and a type for each schema. */
export function writeNames(document: Document, version: string): string {
  const { schemas } = document.components;
  const code = schemas['Error']?.properties?.code;
  const types = Object.entries(schemas)
    .filter(([name]) => !WITHOUT_NAME.includes(name))
    .map(
      ([name, schema]) =>
        `${comment(describeSchema(document, name, schema))}export type ${name} = components['schemas']['${name}'];\n`,
    );
  return [
    `${HEAD}import type { components } from './openapi-types.ts';\n`,
    `${comment('The version of this library: that of the service which it was made with.')}export const VERSION = '${version}';\n`,
    `${comment('Every type of event. New types may be added: ignore those you do not know.')}export const EVENT_TYPES = ${list(Object.keys(schemas['Event']?.discriminator?.mapping ?? {}))};\n`,
    `${comment(`Every code of an error. ${code?.description ?? ''}`)}export const ERROR_CODES = ${list(code?.anyOf.map((each) => each.const) ?? [])};\n`,
    ...types,
  ].join('\n');
}
