// Prints a code of the demo owner's authenticator app, for a developer who has no such app at hand: "npm run -s code".
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../server/test/support/totp-code.ts';

const DEMO_FILE = fileURLToPath(new URL('../../.trefoil/demo.json', import.meta.url));

if (existsSync(DEMO_FILE)) {
  const { signIn } = JSON.parse(readFileSync(DEMO_FILE, 'utf8')) as { signIn: { totpSecret: string } };
  console.log(codeOf(signIn.totpSecret));
} else {
  console.error('No server is running here: start one with "npm run dev".');
  process.exitCode = 1;
}
