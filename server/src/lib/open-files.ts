// How many files and connections the system lets this process open at once.
import { readFileSync } from 'node:fs';

/** Parses the text of /proc/self/limits. Node has raised the soft limit to the hard one before we read it. */
export function parseOpenFilesMax(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** Undefined where it is unknown or there is no limit. */
export function readOpenFilesMax(): number | undefined {
  try {
    return parseOpenFilesMax(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return undefined;
  }
}
