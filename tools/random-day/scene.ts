// What a day needs around it: servers, two companies, the simulated providers, and a look into the database.

import type { Database } from '../../server/src/lib/postgres/database.ts';
import type { Nodes } from '../chaos/client.ts';
import type { Person } from '../chaos/people.ts';
import type { Stage } from '../chaos/stage.ts';
import type { SimulatorAddresses } from '../dev/ask-simulators.ts';
import type { DemoTenant } from '../dev/seed.ts';

export type Scene = {
  readonly nodes: Nodes;
  /** The first has plenty; the second sometimes runs short of credits. */
  readonly tenants: readonly [DemoTenant, DemoTenant];
  readonly addresses: Pick<SimulatorAddresses, 'carrier'>;
  readonly database: Database;
  readonly nextPerson: () => Person;
  readonly mintSession: () => string;
  readonly query: Stage['query'];
};
