// The samples of the OpenAPI document (contract/src/openapi-samples.ts): every method of the client library has one, and each
// compiles as a reader would paste it into a program that has the values it names.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOpenApi } from '@trefoil/contract';
import { expect, test } from 'vitest';

type Operation = { readonly operationId: string; readonly 'x-codeSamples'?: readonly { readonly source: string }[] };
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const document = buildOpenApi('0.0.0') as unknown as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What the samples leave to their reader: settings, and ids, which are named as in the paths. */
const names = new Set([...JSON.stringify(document.paths).matchAll(/\{(\w+Id)\}/g)].map(([, name]) => name));
const GIVEN = `
declare const baseUrl: string, clientId: string, clientSecret: string, challengeId: string;
declare const ${[...names].map((name) => `${name}: string`).join(', ')};
declare const getToken: () => Promise<string>;
`;

/** What the compiler says of these files. They are inside the repository, so that they find @trefoil/sdk. */
function compile(files: Readonly<Record<string, string>>): string {
  mkdirSync(join(ROOT, '.trefoil'), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(ROOT, '.trefoil/code-samples-'));
  try {
    const configuration = JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] });
    for (const [name, text] of Object.entries({ ...files, 'tsconfig.json': configuration })) {
      writeFileSync(join(folder, name), text);
    }
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    return spawnSync(tsc, ['--noEmit', '-p', folder], { cwd: ROOT, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('every operation with a method of the client library has a sample', () => {
  const silent = operations.filter((operation) => operation['x-codeSamples']?.length !== 1);
  expect(silent.map(({ operationId }) => operationId)).toEqual(['requestToken', 'getFingerprintScript']);
});

test('every sample compiles against the client library', () => {
  const samples = operations.flatMap(({ operationId, 'x-codeSamples': all = [] }) =>
    all.map(({ source }) => [`${operationId}.ts`, source] as const),
  );
  expect(samples.length).toBeGreaterThan(50);
  expect(compile({ 'given.d.ts': GIVEN, ...Object.fromEntries(samples) })).toBe('');
});
