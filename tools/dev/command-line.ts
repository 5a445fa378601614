// The operator's command line as a process, from any copy of the server or from an image, and a tenant made with it.
import type { DemoTenant } from './seed.ts';

/** Runs `trefoil` with these parameters and `--json`, and returns what it printed. */
export type CommandLine = (...parameters: string[]) => Promise<unknown>;

/** What an operator types for the first company, with all scopes and with credits (docs/operate/command-line.md). */
export async function createTenantByCommand(
  trefoil: CommandLine,
  { name, email, credits }: { readonly name: string; readonly email: string; readonly credits: number },
): Promise<DemoTenant> {
  const person = ['--email', email, '--first-name', 'Ada', '--last-name', 'Example'];
  const [{ tenantId }, { userId }] = (await Promise.all([
    trefoil('tenant', 'create', '--name', name),
    trefoil('user', 'create', ...person),
  ])) as [{ tenantId: string }, { userId: string }];
  const order = ['--credits', String(credits), '--reference', 'invoice 0001'];
  await Promise.all([
    trefoil('membership', 'create', '--tenant', tenantId, '--user', userId, '--role', 'owner'),
    trefoil('wallet', 'top-up', '--tenant', tenantId, ...order),
  ]);
  const credential = ['--tenant', tenantId, '--owner', userId, '--name', 'Claims portal'];
  const { clientId, clientSecret } = (await trefoil('credential', 'create', ...credential)) as DemoTenant;
  return { tenantId, clientId, clientSecret };
}
