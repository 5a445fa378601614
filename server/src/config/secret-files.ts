// Secrets that are mounted as files. Neither the path nor the content is ever part of a message: an operator who mixes
// the two up has put the secret itself into the variable of the path.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Environment } from './read-settings.ts';
import { isSecret, type Setting } from './settings.ts';

const BYTES_MAX = 1_000_000;

export type Content = { readonly text: string } | { readonly fault: string };

/** At most one byte more than is allowed, whatever the size was said to be. */
function readBytes(file: number): Buffer {
  const bytes = Buffer.alloc(BYTES_MAX + 1);
  let length = 0;
  for (let count = -1; count !== 0 && length < bytes.length; length += count) {
    count = readSync(file, bytes, length, bytes.length - length, null);
  }
  return bytes.subarray(0, length);
}

function toText(bytes: Buffer): Content {
  if (bytes.length > BYTES_MAX) return { fault: `is larger than ${BYTES_MAX.toLocaleString('en-GB')} bytes` };
  try {
    // Editors and echo end a file with a line break, which is no part of the secret.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    return text === '' ? { fault: 'is empty' } : { text };
  } catch {
    return { fault: 'is not text in UTF-8' };
  }
}

function readSecretFile(path: string): Content {
  let file: number | undefined;
  try {
    // Without blocking: a pipe would hold the start up until somebody writes to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return fstatSync(file).isFile() ? toText(readBytes(file)) : { fault: 'is not a file' };
  } catch (error) {
    return { fault: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Undefined where no file is named. */
export function readFromFile(environment: Environment, name: Setting): Content | undefined {
  const path = isSecret(name) ? environment[`${name}_FILE`] : undefined;
  if (!path) return undefined;
  // Which of the two is old, only the operator knows.
  if (environment[name]) return { fault: `${name} and ${name}_FILE are both set: unset one of them` };
  const content = readSecretFile(path);
  return 'text' in content
    ? content
    : { fault: `${name}_FILE ${content.fault}: it takes the path of a file that holds the secret` };
}
