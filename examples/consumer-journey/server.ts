// Starts the sample tenant: its consumer page, and the small server behind it that holds the API credentials. Without
// options it uses the Trefoil instance that "npm run dev" started.
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createTrefoil } from '@trefoil/sdk';
import { createSite } from './site.ts';

const HELP = `Usage: npm run example [-- options]

Serves a complete consumer journey of a tenant: details, waiting, a code by SMS, the report.

  --port <n>        port to listen on (default 8090)
  --test            ask in test mode: no agency is asked, nothing is charged, the code is 123456
  --base-url <url>  --tenant <id>  --client-id <id>  --client-secret <secret>
  --help            this text`;

const DEMO_FILE = fileURLToPath(new URL('../../.trefoil/demo.json', import.meta.url));

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8090' },
    test: { type: 'boolean', default: false },
    'base-url': { type: 'string' },
    tenant: { type: 'string' },
    'client-id': { type: 'string' },
    'client-secret': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

type Demo = { baseUrl?: string; tenantId?: string; clientId?: string; clientSecret?: string; simulators?: Simulators };
type Simulators = { inbox: string };

const demo: Demo = existsSync(DEMO_FILE) ? (JSON.parse(readFileSync(DEMO_FILE, 'utf8')) as Demo) : {};
const baseUrl = values['base-url'] ?? demo.baseUrl;
const tenantId = values.tenant ?? demo.tenantId;
const clientId = values['client-id'] ?? demo.clientId;
const clientSecret = values['client-secret'] ?? demo.clientSecret;

if (values.help) {
  console.log(HELP);
} else if (!baseUrl || !tenantId || !clientId || !clientSecret) {
  console.error('No server is running here. Start one with "npm run dev" in another terminal, or see --help.');
  process.exitCode = 2;
} else {
  const trefoil = createTrefoil({ baseUrl, tenantId, clientId, clientSecret });
  // The name that text messages and reports have. A page under another name looks like a fraud beside them.
  const { items } = await trefoil.listTenants();
  const company = items.find(({ id }) => id === tenantId)?.name ?? '';
  const site = createSite({ trefoil, baseUrl, tenantId, company, isTest: values.test });
  site.listen(Number(values.port), 'localhost', () => {
    const { port } = site.address() as AddressInfo;
    console.log(`The sample page is at http://localhost:${port}`);
    if (demo.simulators && !values.test) console.log(`Messages to telephones arrive at ${demo.simulators.inbox}`);
  });
}
