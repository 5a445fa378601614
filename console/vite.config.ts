// Builds the console into dist/: files named by their content under assets/, each also compressed, and one index.html.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Compressed here once, so that the server compresses nothing while it answers. After everything is written: earlier, vite
 * has not yet filled in the names of chunks.
 */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir = 'dist' }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        if (!/^assets\/.*\.(js|css|svg)$/.test(fileName)) continue;
        const path = join(dir, fileName);
        const source = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(source));
        writeFileSync(`${path}.gz`, gzipSync(source, { level: 9 }));
      }
    },
  };
}

/** What nearly every page uses: icons, small parts, words, questions, refusals. Otherwise each would be a request of its own. */
const PARTS = /lucide-react|nfiniteQuery|\/src\/(ui\/(?!menu-popup)|format|api|forms\/(refusal|use-sending))/;

export default defineConfig({
  base: '/console/',
  plugins: [react(), compress()],
  build: {
    // Browsers that know light-dark(); an older target would rewrite every colour into helper variables.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    // The policy allows no font and no style from a data: address.
    assetsInlineLimit: 0,
    manifest: true,
    // The licences of everything in the files, beside the manifest.
    license: true,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'parts', test: PARTS, minShareCount: 2 }] } } },
  },
});
