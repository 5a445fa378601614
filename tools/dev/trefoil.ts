// The operator's command line on a developer's machine: with the settings of the server that "npm run dev" started
// last, if there is one, and otherwise with the current environment.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ENVIRONMENT_FILE = fileURLToPath(new URL('../../.trefoil/dev.env', import.meta.url));
if (existsSync(ENVIRONMENT_FILE)) process.loadEnvFile(ENVIRONMENT_FILE);
await import('../../server/src/main.ts');
