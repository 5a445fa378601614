// Each operation as a call of the client library, for the document (`x-codeSamples`): its names, and the operation's own example.
// tools/code-samples.test.ts compiles each of them against the library.
import type { Operation } from './operation.ts';

/** Where the library's name is shorter than the document's. */
const METHODS: Readonly<Record<string, string>> = {
  generateCreditReport: 'generate',
  quoteCreditReport: 'quote',
  listCreditReports: 'listReports',
  countCreditReports: 'countReports',
  getCreditReport: 'getReport',
};
/** The library gets its tokens by itself, and the script is for pages. */
const WITHOUT_METHOD = ['requestToken', 'getFingerprintScript'];

/** The method of the client library that sends the operation. */
export const libraryMethodOf = (operationId: string): string | undefined =>
  WITHOUT_METHOD.includes(operationId) ? undefined : (METHODS[operationId] ?? operationId);

/** Methods that take the values of the body, and not the body. */
const TAKES_VALUES = ['advanceTestClock', 'changeMember', 'inviteMember', 'selectTenant'];
/** Methods that take one value of the query. */
const QUERY_VALUES: Readonly<Record<string, readonly string[]>> = {
  getDocument: ["'pdf'"],
  getStatement: ["'2026-03'"],
  previewRetention: ['7'],
};
/** `complete` does not say that the person was found: `outcomeOf` does. */
const HAS_OUTCOME = ['generate', 'submitOtp'];

const WIDTH = 80;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
const quote = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const field = (name: string, value: string) => (name === value ? name : `${name}: ${value}`);

/** As our formatter would write it, or nearly. An id is one that the reader has, under its name. */
function literal(value: unknown, indent = '', name = 'id'): string {
  if (typeof value === 'string') return ID.test(value) ? name : quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([key, item]) => field(key, literal(item, inner, key)));
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const space = open === '{' && parts.length > 0 ? ' ' : '';
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= WIDTH) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

type Called = Pick<Operation, 'path' | 'isBodyOptional' | 'bodyExamples' | 'needsStepUp' | 'mediaTypes'> & {
  readonly response?: Operation['response'];
};

function parametersOf(method: string, { path, isBodyOptional, bodyExamples = {} }: Called): string {
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name).filter((name) => name !== 'tenantId');
  const [body] = Object.values(bodyExamples).map(({ value }) => value as object);
  const isLeftOut = !body || (isBodyOptional && Object.keys(body).length === 0);
  const values = Object.entries(TAKES_VALUES.includes(method) ? (body ?? {}) : { body });
  return [
    ...ids,
    ...(isLeftOut ? [] : values.map(([name, value]) => literal(value, '', name))),
    ...(QUERY_VALUES[method] ?? []),
  ].join(', ');
}

function signIn({ needsStepUp }: Called, isForPages: boolean): string {
  if (isForPages) return "{ auth: 'cookies', tenantId }";
  return needsStepUp ? '{ baseUrl, tenantId, getToken }' : '{ baseUrl, tenantId, clientId, clientSecret }';
}

function linesOf(method: string, call: string, { response, mediaTypes }: Called): string {
  const fieldsOf = (schema: unknown) => (schema as { properties?: Record<string, unknown> } | undefined)?.properties;
  const data = fieldsOf(response)?.['data'];
  if (HAS_OUTCOME.includes(method)) return `const answer = await ${call};\nconst outcome = outcomeOf(answer);`;
  if (mediaTypes) return `const bytes = await ${call};`;
  if (data === undefined) return `const answer = await ${call};`;
  const isPage = ['items', 'nextCursor'].every((field) => field in (fieldsOf(data) ?? {}));
  return isPage ? `for await (const item of ${call}) console.log(item);` : `const { data } = await ${call};`;
}

/** The field of an operation's description, where the library has a method for it. */
export function codeSamples(operationId: string, operation: Called): { 'x-codeSamples'?: readonly object[] } {
  const method = libraryMethodOf(operationId);
  if (method === undefined) return {};
  const call = `trefoil.${method}(${parametersOf(method, operation)})`;
  const imports = HAS_OUTCOME.includes(method) ? 'createTrefoil, outcomeOf' : 'createTrefoil';
  const source = [
    `import { ${imports} } from '@trefoil/sdk';\n`,
    ...(operation.needsStepUp
      ? ['// getToken gives the access token of a person who has just passed a second factor.']
      : []),
    `const trefoil = createTrefoil(${signIn(operation, method === 'collectFingerprint')});`,
    linesOf(method, call, operation),
  ];
  return { 'x-codeSamples': [{ lang: 'TypeScript', label: '@trefoil/sdk', source: source.join('\n') }] };
}
