// Builds what is published: one ES module with its types, and the command line beside it.
import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', cli: 'src/cli.ts' },
  format: 'esm',
  platform: 'neutral',
  // The oldest Node that package.json allows; browsers of the last two years can do as much.
  target: ['node20.3', 'es2022'],
  dts: { entry: 'src/index.ts', sourcemap: false },
  sourcemap: false,
  clean: true,
  outputOptions: { chunkFileNames: 'client.js' },
  deps: { neverBundle: [/^node:/] },
});
