// The door of the operator's command line. The version is answered here, without loading anything else
// (docs/decisions/0252-commands-load-what-they-need.md).
import { VERSION } from '../lib/version.ts';
import type { Ask } from './ask.ts';
import type { LoadConfig } from './command.ts';

const VERSION_WORDS = ['version', '--version', '-v'];

/** Where a command prints and, at a terminal, asks; tests replace it. */
export type Terminal = Pick<Console, 'log' | 'error'> & { readonly ask?: Ask | undefined };

/** Returns the exit code. */
export async function runCommand(
  args: readonly string[],
  loadConfig: LoadConfig,
  terminal?: Terminal,
): Promise<number> {
  if (VERSION_WORDS.includes(args[0] ?? '')) {
    (terminal ?? console).log(`trefoil ${VERSION} (Node ${process.version})`);
    return 0;
  }
  const { answerCommand } = await import('./answer-command.ts');
  return answerCommand(args, loadConfig, terminal);
}
