// Where a server of a checkout finds the console and the documentation site: their own build folders, which the server
// itself does not know (docs/decisions/0244-the-server-in-its-own-folder.md).
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildMissingConsole } from './build-console.ts';

/** Builds the console where it is missing; the site is served only where a developer has built it. */
export function findBuiltPages(): Record<string, string> {
  buildMissingConsole();
  const folderOf = (part: string) => {
    const folder = fileURLToPath(new URL(`../../${part}/dist`, import.meta.url));
    return existsSync(`${folder}/index.html`) ? folder : 'off';
  };
  return { TREFOIL_SITE_FOLDER: folderOf('site'), TREFOIL_CONSOLE_FOLDER: folderOf('console') };
}
