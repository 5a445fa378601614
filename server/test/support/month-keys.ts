// A key service at its port that a test can take away, and a folder of month keys.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyFiles, FOLDER_MARK } from '../../src/keys/key-files.ts';
import type { KeyAnswer, KeyService } from '../../src/keys/port.ts';
import { OutsideFault } from '../../src/lib/outside/outside-fault.ts';

export type MonthKeyFolder = { readonly folder: string; readonly environment: Record<string, string>; remove(): void };

export function makeMonthKeyFolder(more: object = {}): MonthKeyFolder {
  const folder = mkdtempSync(join(tmpdir(), 'trefoil-month-keys-'));
  writeFileSync(join(folder, FOLDER_MARK), '');
  return {
    folder,
    environment: { TREFOIL_KEY_SERVICE: JSON.stringify({ kind: 'file', folder, timeoutMs: 10_000, ...more }) },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const AWAY: KeyAnswer<never> = { kind: 'away', cause: new OutsideFault('connection', 'ECONNREFUSED') };

export type FickleService = KeyService & {
  isAway: boolean;
  /** Gives other bytes than it wrapped. */
  isLying: boolean;
  readonly calls: { create: number; unwrap: number };
};

/** The real service of files, with a switch. */
export function makeFickle(folder: string): FickleService {
  const files = createKeyFiles({ folder });
  const fickle: FickleService = {
    ...files,
    isAway: false,
    isLying: false,
    calls: { create: 0, unwrap: 0 },
    async createWorkingKey(month) {
      fickle.calls.create += 1;
      return fickle.isAway ? AWAY : files.createWorkingKey(month);
    },
    async unwrap(month, wrappedKey) {
      fickle.calls.unwrap += 1;
      if (fickle.isAway) return AWAY;
      const answer = await files.unwrap(month, wrappedKey);
      return fickle.isLying && answer.kind === 'done' ? { kind: 'done', value: Buffer.alloc(32, 7) } : answer;
    },
  };
  return fickle;
}
