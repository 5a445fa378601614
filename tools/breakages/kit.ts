// Runs the unbroken conformance kit against a server and reads its verdict, as a user would from the command line.
import { execFile } from 'node:child_process';
import { childEnvironment, type Ready } from './server.ts';

export type RowResult = {
  readonly id: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
};

export type Depth = 'fast' | 'slow-rows' | 'everything';

const DEPTH_OPTIONS: Record<Depth, readonly string[]> = {
  fast: [],
  'slow-rows': ['--slow', '--only', '^slow/'],
  everything: ['--slow'],
};
const TIMEOUT_MS: Record<Depth, number> = { fast: 5 * 60_000, 'slow-rows': 10 * 60_000, everything: 10 * 60_000 };
/** Rows failed; 3 if one of them says what no repeat may clear. */
const RED: readonly unknown[] = [1, 3];

export function runKit(tree: string, ready: Ready, depth: Depth, signal: AbortSignal): Promise<RowResult[]> {
  const values = {
    '--base-url': ready.baseUrl,
    '--tenant': ready.tenantId,
    '--client-id': ready.clientId,
    '--client-secret': ready.clientSecret,
    '--other-tenant': ready.otherTenantId,
    '--other-client-id': ready.otherClientId,
    '--other-client-secret': ready.otherClientSecret,
  };
  const options = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const args = ['conformance/src/main.ts', '--json', ...options, ...DEPTH_OPTIONS[depth]];
  const how = {
    cwd: tree,
    env: childEnvironment(),
    signal,
    timeout: TIMEOUT_MS[depth],
    maxBuffer: 64 * 1024 * 1024,
  };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, how, (error, stdout, stderr) => {
      if (signal.aborted) {
        reject(signal.reason);
      } else if (error && !RED.includes(error.code)) {
        reject(new Error(`the kit could not run: ${stderr.slice(-500).trim() || error.message}`, { cause: error }));
      } else {
        resolve((JSON.parse(stdout) as { rows: RowResult[] }).rows);
      }
    });
  });
}
