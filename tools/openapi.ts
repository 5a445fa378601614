// Writes openapi.json from contract/, and what the SDK takes from openapi.json: its types, names and hover text. With
// --check it writes nothing and fails when a committed file differs from what would be generated.
import { readFile, writeFile } from 'node:fs/promises';
import { buildOpenApi } from '@trefoil/contract';
import openapiTypes, { astToString } from 'openapi-typescript';
import packageJson from '../package.json' with { type: 'json' };
import sdkPackageJson from '../sdk/package.json' with { type: 'json' };
import { type Document, writeNames, writeWords } from './sdk-words.ts';

const root = new URL('../', import.meta.url);
const document = buildOpenApi(packageJson.version);
const text = `${JSON.stringify(document, null, 2)}\n`;
// Without discriminators: each type has its constant, and the generator would write another description over that of the constant.
const copy: unknown = JSON.parse(text, (key, value: unknown) => (key === 'discriminator' ? undefined : value));
const types = astToString(await openapiTypes(copy as never))
  .replace('export interface paths ', '/** Every path of the API, with its operations. */\n$&')
  .replace('export interface components ', '/** Every schema of the API by its name. */\n$&');
const written = JSON.parse(text) as Document;

const generated = [
  ['openapi.json', text],
  ['sdk/src/openapi-types.ts', `// Generated from openapi.json by \`npm run openapi\`. Do not edit.\n${types}`],
  ['sdk/src/openapi-names.ts', writeNames(written, sdkPackageJson.version)],
  ['sdk/src/openapi-words.ts', writeWords(written)],
] as const;

let drifted = false;
for (const [path, content] of generated) {
  const file = new URL(path, root);
  if (process.argv.includes('--check')) {
    const committed = await readFile(file, 'utf8').catch(() => '');
    if (committed !== content) {
      drifted = true;
      console.error(`${path} is not what contract/ generates. Run: npm run openapi`);
    }
  } else {
    await writeFile(file, content);
    console.log(`wrote ${path}`);
  }
}
process.exitCode = drifted ? 1 : 0;
