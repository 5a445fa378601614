// Copies of the tree to break. The first copy is made once and never edited: the broken ones are made from it and the
// kit runs from it, so that edits in the tree do not disturb a run of several minutes.
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Breakage, Edit } from './breakages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Thrown when the code has changed: the breakage must be rewritten, not skipped. */
export class NoLongerApplies extends Error {}

export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const occurrences = text.split(find).length - 1;
  if (occurrences !== 1) {
    throw new NoLongerApplies(`${JSON.stringify(find)} occurs ${occurrences} times in ${file}, not once`);
  }
  // A function, since "$" has a meaning in a replacement text.
  return text.replace(find, () => replace);
}

/** The edited files of one breakage, by path. */
export async function editedFiles(directory: string, { id, edits }: Breakage): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    try {
      const text = texts.get(edit.file) ?? (await readFile(join(directory, edit.file), 'utf8'));
      texts.set(edit.file, applyEdit(text, edit));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new NoLongerApplies(`breakage ${id} no longer applies: ${reason}`);
    }
  }
  return texts;
}

async function copyFiles(target: string): Promise<void> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  for (const path of new Set(stdout.split('\0').filter(Boolean))) {
    await cp(join(ROOT, path), join(target, path)).catch((error: NodeJS.ErrnoException) => {
      // Deleted in the work tree and not yet in the index.
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

/** Packages are shared with the tree, but the workspaces must be the copy's own: otherwise its contract stays unbroken. */
export async function linkPackages(target: string): Promise<void> {
  const [installed, linked] = [join(ROOT, 'node_modules'), join(target, 'node_modules')];
  const workspaces = join(installed, '@trefoil');
  await mkdir(join(linked, '@trefoil'), { recursive: true });
  for (const name of await readdir(installed)) {
    if (name === '@trefoil' || (name.startsWith('.') && name !== '.bin')) continue;
    await symlink(join(installed, name), join(linked, name));
  }
  for (const name of await readdir(workspaces)) {
    const to = await readlink(join(workspaces, name));
    if (isAbsolute(to)) throw new Error(`node_modules/@trefoil/${name} is not a relative link: run npm ci`);
    await symlink(to, join(linked, '@trefoil', name));
  }
}

export async function copyTree(target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await copyFiles(target);
  await linkPackages(target);
}

/** A copy of the unbroken copy, with the breakage applied if there is one. */
export async function copyBroken(unbroken: string, target: string, breakage: Breakage | undefined): Promise<void> {
  const texts = breakage ? await editedFiles(unbroken, breakage) : new Map<string, string>();
  await cp(unbroken, target, { recursive: true, verbatimSymlinks: true });
  for (const [file, text] of texts) await writeFile(join(target, file), text);
}
