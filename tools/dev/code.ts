// Prints a code of the demo owner's authenticator app, for a developer who has no such app at hand: "npm run -s code".
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { totpCode } from '../../server/src/identity/factors/totp.ts';

const DEMO_FILE = fileURLToPath(new URL('../../.trefoil/demo.json', import.meta.url));

if (existsSync(DEMO_FILE)) {
  const { signIn } = JSON.parse(readFileSync(DEMO_FILE, 'utf8')) as { signIn: { totpSecret: string } };
  console.log(totpCode(signIn.totpSecret, new Date()));
} else {
  console.error('No server is running here: start one with "npm run dev".');
  process.exitCode = 1;
}
