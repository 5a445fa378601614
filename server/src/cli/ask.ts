// Asks the operator before a command loses something for good. A script passes --yes instead.
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { Refusal } from './command.ts';

/** The typed line; undefined when the input ended without one. */
export type Ask = (question: string) => Promise<string | undefined>;

/** The question goes to standard error: standard output is for the command's answer. */
const askAtTerminal: Ask = (question) =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    lines.question(question, (line) => {
      resolve(line);
      lines.close();
    });
    // The end of the input, or an interrupt, does not count as yes.
    lines.once('close', () => resolve(undefined));
  });

/** Undefined without a terminal. Checks only the descriptors: a server's standard input may be closed. */
export const findTerminal = (): Ask | undefined => (isatty(0) && isatty(2) ? askAtTerminal : undefined);

const YES = /^\s*(y|yes)\s*$/i;

export async function requireYes(preview: string, ask: Ask | undefined): Promise<void> {
  if (!ask) {
    throw new Refusal(
      `${preview} This cannot be undone, and there is no terminal to ask at: repeat it with --yes if that is what ` +
        'you want. Nothing was changed.',
    );
  }
  const line = await ask(`${preview}\nThis cannot be undone. Go on? [y/N] `);
  if (line === undefined || !YES.test(line)) throw new Refusal('Nothing was changed.');
}
