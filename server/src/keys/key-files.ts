// Month keys as files of one folder, for an installation without a key service of another company: one file a month, and
// destroying a month is deleting its file. Every node needs the same folder, and no backup may hold a file longer than the
// month lives (docs/operate/keys.md).
import { createSecretKey, randomBytes } from 'node:crypto';
import { link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { parseKey } from '../lib/crypto/secret-keys.ts';
import { decrypt, encrypt } from '../lib/crypto/vault.ts';
import { OutsideFault } from '../lib/outside/outside-fault.ts';
import { closed, SettingText } from '../lib/setting-schema.ts';
import { done, GONE, guardKeyService, KEY_PREFIX, KEY_SERVICE_MS, KEY_SERVICE_SETTINGS } from './key-answers.ts';
import type { KeyAnswer, KeyService } from './port.ts';

export const KeyFilesSettings = closed({ kind: Type.Literal('file'), folder: SettingText, ...KEY_SERVICE_SETTINGS });
export type KeyFilesSettings = Static<typeof KeyFilesSettings>;

/** The operator puts it into the folder, which is known by it: an empty mount point is not the folder. */
export const FOLDER_MARK = 'trefoil-month-keys.txt';
const KEY_BYTES = 32;
const OWNER_ALONE = 0o600;

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code ?? 'failed');

const away = (detail: string): KeyAnswer<never> => ({ kind: 'away', cause: new OutsideFault('connection', detail) });

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function createKeyFiles({
  folder,
  timeoutMs = KEY_SERVICE_MS,
}: Pick<KeyFilesSettings, 'folder' | 'timeoutMs'>): KeyService {
  // The folder may be on another machine, whose disk may hang.
  const guard = guardKeyService({ timeoutMs });
  const pathOf = (month: string) => join(folder, `${KEY_PREFIX}${month}.key`);
  const bindingOf = (month: string) => `trefoil/working-key/${month}`;

  /** Whether this is the folder: an unmounted disk has destroyed no key, and must not get new ones. */
  const isFolder = () =>
    stat(join(folder, FOLDER_MARK)).then(
      () => true,
      () => false,
    );
  const NO_FOLDER = away('the folder of month keys is not there');

  async function read(month: string) {
    try {
      const key = parseKey((await readFile(pathOf(month), 'utf8')).trim());
      return key ? done(createSecretKey(key)) : away('a key file is damaged');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return away(codeOf(error));
      return (await isFolder()) ? GONE : NO_FOLDER;
    }
  }

  /** Whole and on the disk before it has its name; where another node was first, its file stays. */
  async function write(path: string, text: string): Promise<void> {
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    const handle = await open(draft, 'wx', OWNER_ALONE);
    try {
      try {
        // What an operator's command makes as root must be readable for the nodes, to whom the folder belongs.
        if (process.getuid?.() === 0) {
          const { uid, gid } = await stat(folder);
          await handle.chown(uid, gid);
        }
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await link(draft, path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    } finally {
      await rm(draft, { force: true });
    }
    await syncFolder(folder);
  }

  const files: Omit<KeyService, 'rewrap'> = {
    kind: 'file',
    async createWorkingKey(month) {
      if (!(await isFolder())) return NO_FOLDER;
      try {
        await write(pathOf(month), `${randomBytes(KEY_BYTES).toString('base64')}\n`);
      } catch (error) {
        return away(codeOf(error));
      }
      const found = await read(month);
      if (found.kind !== 'done') return found;
      const key = randomBytes(KEY_BYTES);
      return done({ key, wrappedKey: encrypt(found.value, bindingOf(month), key) });
    },
    async unwrap(month, wrappedKey) {
      const found = await read(month);
      if (found.kind !== 'done') return found;
      try {
        return done(decrypt(found.value, bindingOf(month), wrappedKey));
      } catch {
        return away('a working key does not open');
      }
    },
    async destroy(month) {
      if (!(await isFolder())) return NO_FOLDER;
      try {
        // A process that was killed while it made the key has left a draft, which may be the key under another name.
        const path = pathOf(month);
        const drafts = (await readdir(folder))
          .map((name) => join(folder, name))
          .filter((each) => each.startsWith(`${path}.`));
        // The key last: a run that is cut off is repeated as long as it is there.
        for (const each of [...drafts, path]) await rm(each, { force: true });
        await syncFolder(folder);
        return done({ until: undefined });
      } catch (error) {
        return away(codeOf(error));
      }
    },
    async describe(month) {
      const found = await read(month);
      if (found.kind !== 'done') return found;
      try {
        return done({ version: undefined, createdAt: (await stat(pathOf(month))).mtime });
      } catch (error) {
        return away(codeOf(error));
      }
    },
    close: async () => undefined,
  };
  return {
    ...files,
    createWorkingKey: (month) => guard(() => files.createWorkingKey(month)),
    unwrap: (month, wrappedKey) => guard(() => files.unwrap(month, wrappedKey)),
    // A file has one version.
    rewrap: async (_month, wrappedKey) => done(wrappedKey),
    destroy: (month) => guard(() => files.destroy(month)),
    describe: (month) => guard(() => files.describe(month)),
  };
}
