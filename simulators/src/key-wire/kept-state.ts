// Keeps the state of a simulator in a file, so that a restart finds the same keys. Without a file everything is in memory.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type KeptState<State> = { load(): State | undefined; save(state: State): void };

export function keptState<State>(path: string | undefined): KeptState<State> {
  return {
    load: () =>
      path === undefined || !existsSync(path) ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as State),
    save(state) {
      if (path === undefined) return;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // Written beside and renamed: a process that is killed here leaves the old state whole.
      writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}
