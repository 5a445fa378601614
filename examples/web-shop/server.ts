// Starts the shop: `node server.ts [file]`, where the file has the settings of env.example. Without a name it is .env.
import type { AddressInfo } from 'node:net';
import { createTrefoil } from '@trefoil/sdk';
import { readSettings } from './settings.ts';
import { createSite } from './site.ts';
import { openStore } from './store.ts';

const settings = readSettings(process.argv[2] ?? '.env');
const { baseUrl, tenantId, clientId, clientSecret } = settings;
const trefoil = createTrefoil({ baseUrl, tenantId, clientId, clientSecret });
const site = createSite(settings, trefoil, openStore(settings.databasePath));

site.listen(settings.port, 'localhost', () => {
  const { port } = site.address() as AddressInfo;
  console.log(`The shop is at http://localhost:${port}, its staff's pages at http://localhost:${port}/staff/orders`);
});
