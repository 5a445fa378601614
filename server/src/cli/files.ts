// Files of the operator's commands. A message names the option and never what the file holds.
import { open, readFile, unlink } from 'node:fs/promises';
import { type PublishedKey, readPublishedKeys } from '../evidence/verification/published-keys.ts';
import { isUnavailable } from '../lib/postgres/unavailable.ts';
import { Refusal } from './command.ts';

const nameOf = (option: string | undefined) => (option === undefined ? 'The file' : `The file of --${option}`);

/** Without an option: the file that the command is about. */
export async function loadFile(path: string, option?: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`${nameOf(option)} cannot be read (${error.code}).`);
  });
}

export async function loadText(path: string, option: string): Promise<string> {
  return (await loadFile(path, option)).toString();
}

/** The published evidence keys of the service. */
export async function loadKeys(path: string): Promise<PublishedKey[]> {
  const text = await loadText(path, 'keys');
  try {
    return readPublishedKeys(text);
  } catch {
    throw new Refusal(
      'The file of --keys is not a list of evidence keys. Get it from <address of the service>/.well-known/trefoil-evidence-keys.json.',
    );
  }
}

/** Not of a connection, whose errors have their own explanation. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && !isUnavailable(error);

/** Never overwrites, and nobody else may read it. If it fails it leaves no half; if the process is killed it may. */
export async function saveFile(
  path: string,
  option: string,
  content: string | Uint8Array | AsyncIterable<string>,
): Promise<void> {
  const cannotWrite = ({ code }: NodeJS.ErrnoException) =>
    new Refusal(`${nameOf(option)} cannot be written (${code}).`);
  const opened = await open(path, 'wx', 0o600).catch((error) => {
    throw cannotWrite(error);
  });
  try {
    await opened.writeFile(content);
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw isOfSystem(error) ? cannotWrite(error) : error;
  } finally {
    await opened.close();
  }
}
