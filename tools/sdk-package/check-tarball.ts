// What is wrong with a packed file: judged by publint and are-the-types-wrong, and by a list of what may be in it.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const ALLOWED = /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/[\w-]+\.(js|d\.ts))$/;

/** The package is an ES module alone: how CommonJS of old would resolve it is not a promise. */
const PROMISED = ['node16-esm', 'bundler'];

/** Sources, which Node would refuse to run from node_modules, tests, and whatever else slips in. */
export const listForeignFiles = (paths: readonly string[]) => paths.filter((path) => !ALLOWED.test(path));

export async function checkTarball(tarball: Uint8Array): Promise<void> {
  const copy = Uint8Array.from(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: copy.buffer }, strict: true });
  const found = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
  const analysis = await checkPackage(createPackageFromTarballData(copy));
  if (!analysis.types) throw new Error('are-the-types-wrong finds no types');
  for (const problem of analysis.problems) {
    const isPromised = !('resolutionKind' in problem) || PROMISED.includes(problem.resolutionKind);
    if (isPromised) found.push(`are-the-types-wrong: ${JSON.stringify(problem)}`);
  }
  if (found.length > 0) throw new Error(found.join('\n'));
}
