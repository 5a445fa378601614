// Runs a command that must succeed; what it prints on standard output is returned.
import { execFile } from 'node:child_process';

export function run(command: string, parameters: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, parameters, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else reject(new Error(`${command} ${parameters.join(' ')}\n${stdout}${stderr}`, { cause: error }));
    });
  });
}
