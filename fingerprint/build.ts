// Bundles src/device.ts into the file of the server's own folder that the server hands out. `npm run fingerprint` writes it; build.test.ts
// fails when the committed file is not what the source gives.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

export const OUTPUT = fileURLToPath(new URL('../server/src/fingerprints/device.js', import.meta.url));
const ENTRY = fileURLToPath(new URL('src/device.ts', import.meta.url));

/** The library's licence asks that its whole notice goes along. */
async function readNotice(): Promise<string> {
  const licence = await readFile(new URL('LICENSE', import.meta.resolve('@fingerprintjs/fingerprintjs/package.json')));
  return `/*!\nTrefoil device fingerprint, Apache-2.0. Contains parts of FingerprintJS:\n\n${String(licence).trim()}\n*/`;
}

/** The library keeps all its sources in one object, which no bundler takes apart: two thirds of it we never call. */
function leaveOutUnused(traits: ReadonlySet<string>): Plugin {
  return {
    name: 'leave-out-unused-sources',
    transform(code, id) {
      if (!id.endsWith('/fp.esm.js')) return undefined;
      const [whole] = /^const sources = \{\n[\s\S]*?^\};$/m.exec(code) ?? [];
      if (whole === undefined) throw new Error('the library keeps its sources elsewhere now');
      const entries = [...whole.matchAll(/^ {4}(\w+): (\w+),$/gm)];
      const kept = entries.filter(([, name = '']) => traits.has(name)).map(([line]) => line);
      if (kept.length !== traits.size) throw new Error('the library lacks a source that src/signals.ts names');
      return { code: code.replace(whole, () => `const sources = {\n${kept.join('\n')}\n};`), map: null };
    },
  };
}

async function findTraits(): Promise<ReadonlySet<string>> {
  const source = await readFile(new URL('src/signals.ts', import.meta.url), 'utf8');
  return new Set([...source.matchAll(/\bsources\.(\w+)/g)].map(([, name = '']) => name));
}

export async function buildScript(): Promise<string> {
  const result = await build({
    configFile: false,
    envDir: false,
    plugins: [leaveOutUnused(await findTraits())],
    logLevel: 'warn',
    root: fileURLToPath(new URL('.', import.meta.url)),
    build: {
      write: false,
      target: 'es2019',
      sourcemap: false,
      modulePreload: false,
      lib: { entry: ENTRY, formats: ['iife'], name: 'trefoilDevice' },
    },
  });
  const [bundle] = [result].flat();
  const chunk = bundle && 'output' in bundle ? bundle.output[0] : undefined;
  if (!chunk) throw new Error('the bundler gave nothing');
  return `${await readNotice()}\n${chunk.code.trim()}\n`;
}

if (import.meta.main) {
  const code = await buildScript();
  await writeFile(OUTPUT, code);
  console.log(`wrote server/src/fingerprints/device.js, ${Buffer.byteLength(code)} bytes`);
}
