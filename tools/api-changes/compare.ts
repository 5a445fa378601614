// Compares two OpenAPI documents, operation by operation and webhook by webhook. It does not compare descriptions, examples, tags and server
// addresses, which are not binding.
import { type Change, collectChanges } from './changes.ts';
import { type Comparison, compareSchemas } from './compare-schemas.ts';
import { compareWebhooks } from './compare-webhooks.ts';
import { inlineParts } from './inline-parts.ts';
import { type Document, isSchema, listOf, type Schema } from './variants.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

const part = (value: unknown): Schema => (isSchema(value) ? value : {});

function operationsOf(document: Document): Map<string, Schema> {
  const operations = new Map<string, Schema>();
  for (const [path, item] of Object.entries(part(document['paths']))) {
    for (const method of METHODS) {
      const operation = part(item)[method];
      if (!isSchema(operation)) continue;
      const parameters = [...listOf(part(item)['parameters']), ...listOf(operation['parameters'])];
      operations.set(`${method.toUpperCase()} ${path}`, { ...operation, parameters });
    }
  }
  return operations;
}

function parametersOf(operation: Schema): Map<string, Schema> {
  const parameters = listOf(operation['parameters']).filter(isSchema);
  // Header names are case-insensitive.
  return new Map(parameters.map((each) => [`${each['in']} parameter ${String(each['name'])}`, each]));
}

function compareParameters(comparison: Comparison, where: string, base: Schema, now: Schema): void {
  const { changes } = comparison;
  const [before, after] = [parametersOf(base), parametersOf(now)];
  for (const [name, parameter] of before) {
    const at = `${where}, ${name}`;
    const today = after.get(name);
    if (!today) {
      changes.breaking(at, 'the parameter is gone');
      continue;
    }
    const [wasRequired, isRequired] = [parameter['required'] === true, today['required'] === true];
    if (!wasRequired && isRequired) changes.breaking(at, 'was optional and is required');
    if (wasRequired && !isRequired) changes.additive(at, 'was required and is optional');
    for (const keyword of ['style', 'explode'] as const) {
      if (parameter[keyword] !== today[keyword]) changes.breaking(at, `${keyword} has changed`);
    }
    compareSchemas(comparison, 'request', at, { base: part(parameter['schema']), now: part(today['schema']) });
  }
  for (const [name, parameter] of after) {
    if (before.has(name)) continue;
    if (parameter['required'] === true) changes.breaking(`${where}, ${name}`, 'the parameter is new and required');
    else changes.additive(`${where}, ${name}`, 'the parameter is new');
  }
}

function compareContent(
  comparison: Comparison,
  side: 'request' | 'answer',
  where: string,
  pair: { base: Schema; now: Schema },
): void {
  const { changes } = comparison;
  const [before, after] = [part(pair.base['content']), part(pair.now['content'])];
  for (const [type, media] of Object.entries(before)) {
    const at = Object.keys(before).length > 1 ? `${where} as ${type}` : where;
    const today = after[type];
    if (!isSchema(today)) changes.breaking(where, `no longer ${type}`);
    else compareSchemas(comparison, side, at, { base: part(part(media)['schema']), now: part(today['schema']) });
  }
  // The client chooses what it sends and what it accepts: an extra type changes nothing for it.
  for (const type of Object.keys(after)) if (!(type in before)) changes.additive(where, `also ${type}`);
}

function compareBodies(comparison: Comparison, where: string, base: Schema, now: Schema): void {
  const [before, after] = [part(base['requestBody']), part(now['requestBody'])];
  const [wasRequired, isRequired] = [before['required'] === true, after['required'] === true];
  const at = `${where}, request`;
  if (base['requestBody'] !== undefined && now['requestBody'] === undefined) {
    comparison.changes.breaking(at, 'the body is gone');
    return;
  }
  if (!wasRequired && isRequired) comparison.changes.breaking(at, 'the body is required now');
  if (wasRequired && !isRequired) comparison.changes.additive(at, 'the body is optional now');
  compareContent(comparison, 'request', at, { base: before, now: after });
}

function compareAnswers(comparison: Comparison, where: string, base: Schema, now: Schema): void {
  const { changes } = comparison;
  const [before, after] = [part(base['responses']), part(now['responses'])];
  for (const [status, answer] of Object.entries(before)) {
    const at = `${where}, ${status}`;
    const today = after[status];
    if (!isSchema(today)) {
      changes.breaking(at, 'the status is gone');
      continue;
    }
    const [headersBefore, headers] = [part(part(answer)['headers']), part(today['headers'])];
    for (const [name, header] of Object.entries(headersBefore)) {
      const pair = { base: part(part(header)['schema']), now: part(part(headers[name])['schema']) };
      if (headers[name] === undefined) changes.breaking(`${at}, header ${name}`, 'the header is gone');
      else compareSchemas(comparison, 'answer', `${at}, header ${name}`, pair);
    }
    for (const name of Object.keys(headers)) {
      if (headersBefore[name] === undefined) changes.additive(`${at}, header ${name}`, 'the header is new');
    }
    compareContent(comparison, 'answer', at, { base: part(answer), now: today });
  }
  for (const status of Object.keys(after)) {
    if (before[status] === undefined) changes.additive(`${where}, ${status}`, 'the status is new');
  }
}

type Way = ReadonlyMap<string, ReadonlySet<unknown>>;

/** The alternatives to authenticate: each is a set of schemes needed together, with their scopes. None means open access. */
function waysOf(document: Document, operation: Schema): Way[] {
  const security = operation['security'] ?? document['security'];
  const ways = listOf(security).filter(isSchema);
  if (ways.length === 0) return [new Map()];
  return ways.map((way) => new Map(Object.entries(way).map(([scheme, scopes]) => [scheme, new Set(listOf(scopes))])));
}

/** Whether a client that satisfies one alternative has everything that the other requires. */
const opens = (held: Way, asked: Way): boolean =>
  [...asked].every(([scheme, scopes]) => held.has(scheme) && scopes.isSubsetOf(held.get(scheme) ?? new Set()));

const wayText = (way: Way): string =>
  way.size === 0 ? 'nothing' : [...way].map(([scheme, scopes]) => [scheme, ...scopes].join(' ')).join(' and ');

function compareSecurity(comparison: Comparison, where: string, base: Schema, now: Schema): void {
  const [before, after] = [waysOf(comparison.base, base), waysOf(comparison.now, now)];
  for (const way of before) {
    if (!after.some((today) => opens(way, today))) {
      comparison.changes.breaking(where, `${wayText(way)} no longer opens it`);
    }
  }
  for (const way of after) {
    if (!before.some((earlier) => opens(way, earlier)))
      comparison.changes.additive(where, `${wayText(way)} opens it too`);
  }
}

function compareSchemes(comparison: Comparison): void {
  const schemes = (document: Document) => part(part(document['components'])['securitySchemes']);
  const plain = (scheme: unknown) => JSON.stringify({ ...part(scheme), description: undefined, flows: undefined });
  const [before, after] = [schemes(comparison.base), schemes(comparison.now)];
  for (const [name, scheme] of Object.entries(before)) {
    const at = `security scheme ${name}`;
    if (after[name] === undefined) comparison.changes.breaking(at, 'the scheme is gone');
    else if (plain(scheme) !== plain(after[name])) comparison.changes.breaking(at, 'the scheme has changed');
    for (const [flow, settings] of Object.entries(part(part(scheme)['flows']))) {
      compareFlow(comparison, `${at}, ${flow}`, part(settings), part(part(after[name])['flows'])[flow]);
    }
  }
}

function compareFlow({ changes }: Comparison, where: string, base: Schema, now: unknown): void {
  if (!isSchema(now)) {
    changes.breaking(where, 'the flow is gone');
    return;
  }
  for (const address of ['authorizationUrl', 'tokenUrl', 'refreshUrl'] as const) {
    if (base[address] !== undefined && base[address] !== now[address])
      changes.breaking(where, `${address} has changed`);
  }
  const [before, after] = [Object.keys(part(base['scopes'])), Object.keys(part(now['scopes']))];
  for (const scope of before) if (!after.includes(scope)) changes.breaking(where, `the scope ${scope} is gone`);
  for (const scope of after) if (!before.includes(scope)) changes.additive(where, `the scope ${scope} is new`);
}

/** Every change to the wire between two documents, in the order of the base. */
export function compareDocuments(base: Document, now: Document): Change[] {
  const parts = { base: inlineParts(base), now: inlineParts(now) };
  const comparison: Comparison = { ...parts, changes: collectChanges(), seen: new Set() };
  const { changes } = comparison;
  const [before, after] = [operationsOf(parts.base), operationsOf(parts.now)];
  for (const [name, operation] of before) {
    const today = after.get(name);
    if (!today) {
      const [, path = ''] = name.split(' ');
      const isPathGone = !(path in part(now['paths']));
      changes.breaking(name, isPathGone ? 'the path is gone' : 'the operation is gone');
      continue;
    }
    if (operation['operationId'] !== today['operationId']) {
      // Generators name a client's functions after it.
      changes.breaking(name, `operationId was ${operation['operationId']} and is ${today['operationId']}`);
    }
    compareSecurity(comparison, name, operation, today);
    compareParameters(comparison, name, operation, today);
    compareBodies(comparison, name, operation, today);
    compareAnswers(comparison, name, operation, today);
  }
  for (const name of after.keys()) if (!before.has(name)) changes.additive(name, 'the operation is new');
  compareSchemes(comparison);
  compareWebhooks(comparison);
  return changes.list();
}
