// A client on the primary's own machine: it tops up a wallet through the server's own transactions and prints the source of each
// top-up that was acknowledged. In a partition it is alone with the old primary. Ends with SIGTERM.
import { parseArgs } from 'node:util';
import { openDatabase } from '../../server/src/lib/postgres/database.ts';
import { createTeller } from './teller.ts';

const {
  app = '',
  system = '',
  tenant = '',
} = parseArgs({
  options: { app: { type: 'string' }, system: { type: 'string' }, tenant: { type: 'string' } },
}).values;

const database = openDatabase({
  ...{ appUrl: app, systemUrl: system, appConnections: 1, systemConnections: 1 },
  onConnectionError: () => undefined,
});
const teller = createTeller(database, tenant, (sourceId) => console.log(sourceId));
process.once('SIGTERM', () => {
  // A transaction that waits for a standby would keep it for seconds.
  process.exit(0);
});
await teller.ended;
