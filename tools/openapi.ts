// Writes openapi.json from contract/ and the SDK's types from openapi.json. With --check it writes nothing and
// fails when a committed file differs from what would be generated.
import { readFile, writeFile } from 'node:fs/promises';
import { buildOpenApi } from '@trefoil/contract';
import openapiTypes, { astToString } from 'openapi-typescript';
import packageJson from '../package.json' with { type: 'json' };

const root = new URL('../', import.meta.url);
const document = buildOpenApi(packageJson.version);
const types = astToString(await openapiTypes(structuredClone(document) as never));

const generated = [
  ['openapi.json', `${JSON.stringify(document, null, 2)}\n`],
  ['sdk/src/openapi-types.ts', `// Generated from openapi.json by \`npm run openapi\`. Do not edit.\n${types}`],
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
