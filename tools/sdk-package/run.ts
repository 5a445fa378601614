// Child processes of this tool: commands that must succeed, and the development server.
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FOR_CHECKS } from '../dev/dev-options.ts';

/** What the command printed. Its errors have what it said. */
export function run(command: string, parameters: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, parameters, { cwd, maxBuffer: 32 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else reject(new Error(`${command} ${parameters.join(' ')}\n${stdout}${stderr}`, { cause: error }));
    });
  });
}

/** A server with a database of its own. `ready` is the line of JSON that it prints. */
export function startDevelopmentServer(root: string): { readonly ready: Promise<string>; stop(): Promise<void> } {
  const child = spawn(process.execPath, [join(root, 'tools/dev/dev.ts'), ...FOR_CHECKS], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    void ended.then(() => reject(new Error(`the development server ended\n${log}`)));
  });
  // The tool may fail before it waits for the server.
  ready.catch(() => undefined);
  return {
    ready,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
