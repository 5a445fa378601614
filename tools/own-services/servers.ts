// The PostgreSQL and the Redis that a test file may use. `npm run steps` starts one of each for every worker and names them in the
// environment; without that, as in `npm test FILE`, all files share those of the machine.
// Decision: docs/decisions/0265-servers-of-their-own.md.
import { availableParallelism } from 'node:os';
import { loadLocalServers } from '../../server/src/config.ts';

export type Servers = ReturnType<typeof loadLocalServers>;

/** One more than there are processors, since many tests wait. */
export const WORKERS = Math.min(4, availableParallelism() + 1);

const LIST = 'TREFOIL_TEST_SERVERS';

/** What this process starts finds them in its environment: the list, and the first of them for what is not a test. */
export function giveServers(
  servers: readonly [Servers, ...Servers[]],
  environment: NodeJS.ProcessEnv = process.env,
): void {
  Object.assign(environment, { [LIST]: JSON.stringify(servers), ...nameServers(servers[0]) });
}

/** All of the run; those of the machine if the run has none of its own. */
export function listServers(environment: NodeJS.ProcessEnv = process.env): readonly Servers[] {
  const list = environment[LIST];
  return list === undefined ? [loadLocalServers(environment)] : (JSON.parse(list) as Servers[]);
}

/** Points this process, and what it starts, at the servers of one worker. */
export function takeServers(worker: number, environment: NodeJS.ProcessEnv = process.env): void {
  const servers = listServers(environment);
  const mine = servers[(worker - 1) % servers.length];
  if (environment[LIST] !== undefined && mine) Object.assign(environment, nameServers(mine));
}

function nameServers({ adminUrl, redisUrl }: Servers): Record<string, string> {
  return { TREFOIL_ADMIN_DATABASE_URL: adminUrl, TREFOIL_REDIS_URL: redisUrl };
}
