// The options of `npm run dev`. Pure: what is wrong comes back as a sentence, nothing is printed here.
import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run dev [-- options]

Starts Trefoil on this machine with two demo tenants and prints how to use it, together with simulators of the other
companies (three bureaus, a screening provider, an SMS carrier and a mail server whose inboxes you can read), so that
live mode works too. Needs PostgreSQL and Redis; "docker compose up -d" brings both where they are not installed.

  --port <n>      port to listen on; 0 picks a free one (default 8080)
  --rate <n>      requests per second each demo tenant may make (default: the service's own, 50)
  --patience <n>  before the service refuses a request because one of its own parts is slow, it waits so many times as
                  long as in production: for checks on a busy machine (default 1)
  --ephemeral     use a throwaway database and drop it at the end
  --json          print one line of JSON when ready, and logs on standard error
  --help          this text

TREFOIL_ADMIN_DATABASE_URL (default postgres://postgres@127.0.0.1:5432/postgres) and
TREFOIL_REDIS_URL (default redis://127.0.0.1:6379) say where the two servers are.`;

export const DEFAULT_PORT = 8080;

export type Options = {
  readonly port: number;
  /** Requests per second of each demo tenant; undefined leaves the service's own. */
  readonly rate: number | undefined;
  /** The development server's alone: an operator has no setting for it (docs/decisions/0265-servers-of-their-own.md). */
  readonly patience: number;
  readonly ephemeral: boolean;
  readonly json: boolean;
  readonly help: boolean;
};

/**
 * For tools that check something against a server of their own: a throwaway database, a free port, and a service that outlasts
 * a machine that stands still for some seconds.
 */
export const FOR_CHECKS = ['--json', '--ephemeral', '--port', '0', '--patience', '5'] as const;

const wholeNumber = (text: string, min: number, max: number): number | undefined =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;

export function readOptions(args: readonly string[]): Options | { readonly problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: String(DEFAULT_PORT) },
        rate: { type: 'string' },
        patience: { type: 'string', default: '1' },
        ephemeral: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const port = wholeNumber(values.port, 0, 65_535);
    if (port === undefined) return { problem: '--port takes a number from 0 to 65535.' };
    const rate = values.rate === undefined ? undefined : wholeNumber(values.rate, 1, 1_000_000);
    if (values.rate !== undefined && rate === undefined) {
      return { problem: '--rate takes a number of requests per second.' };
    }
    const patience = wholeNumber(values.patience, 1, 100);
    if (patience === undefined) return { problem: '--patience takes a whole number from 1 to 100.' };
    return { ...values, port, rate, patience };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
