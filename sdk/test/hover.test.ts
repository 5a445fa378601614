// What an editor shows of the built types: words about every name that the library exports and every method of a client, and of
// a method the document's own.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import ts from 'typescript';
import { expect, test } from 'vitest';

const cwd = fileURLToPath(new URL('../', import.meta.url));

/** Words by name: of exports, and of methods as `Trefoil.name`. */
function readWords(file: string): Map<string, string> {
  const program = ts.createProgram([file], { strict: true, target: ts.ScriptTarget.ES2022, types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const exports = (module ? checker.getExportsOfModule(module) : []).map((each) =>
    each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each,
  );
  const client = exports.find(({ name }) => name === 'Trefoil');
  const methods = client ? checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(client)) : [];
  const wordsOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return new Map([
    ...exports.map((each) => [each.name, wordsOf(each)] as const),
    ...methods.map((each) => [`Trefoil.${each.name}`, wordsOf(each)] as const),
  ]);
}

test('every name and every method has words to show, the methods those of the document', async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'trefoil-hover-'));
  try {
    const entry = { index: join(cwd, 'src/index.ts') };
    const options = { config: false, platform: 'neutral', format: 'esm', dts: true } as const;
    await build({ ...options, cwd, entry, outDir, logLevel: 'silent' });
    const words = readWords(join(outDir, 'index.d.ts'));
    expect(words.size).toBeGreaterThan(150);
    expect([...words].filter(([, text]) => text === '' || text.includes('answer to .'))).toEqual([]);
    expect(words.get('Trefoil.generate')).toMatch(/^Generate a credit report\..*`match` and `outcomeOf`/s);
    expect(words.get('Trefoil.rotateWebhookSecret')).toMatch(/^Replace the secret\./);
    // Answers by their names: written out, their fields would have lost their words.
    expect((await readFile(join(outDir, 'index.d.ts'), 'utf8')).match(/(Call|Page)<\{/)).toBeNull();
    expect(words.get('Coverage')).toMatch(/^How far the person was found\./);
  } finally {
    await rm(outDir, { recursive: true });
  }
});
