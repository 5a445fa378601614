// The key service and the vault of one command. What they need is loaded when a command runs: other commands must not wait for it.
import type { Config } from '../config.ts';
import type { KeyService } from '../keys/port.ts';
import type { Vault } from '../lib/crypto/vault.ts';
import type { Database } from '../lib/postgres/database.ts';
import { Refusal } from './command.ts';

export const NO_SERVICE = 'TREFOIL_KEY_SERVICE is not set: there are no month keys. See docs/operate/keys.md.';

export async function withService<T>({ keyService }: Config, work: (service: KeyService) => Promise<T>): Promise<T> {
  if (!keyService) throw new Refusal(NO_SERVICE);
  const { openKeyService } = await import('../keys/open-key-service.ts');
  const service = openKeyService(keyService);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** Working keys for one command: in memory as long as it runs. */
export async function openWorking(database: Database, service: KeyService) {
  const [{ openWorkingKeys }, { createKeyMetrics }, { createLog }, { Registry }] = await Promise.all([
    import('../keys/working-keys.ts'),
    import('../keys/key-metrics.ts'),
    import('../lib/log.ts'),
    import('prom-client'),
  ]);
  const metrics = createKeyMetrics(new Registry());
  return openWorkingKeys({ service, database, metrics, log: createLog('silent'), now: () => new Date() });
}

/** A vault that opens every report: with the working keys of months where there is a key service. */
export async function withVault<T>(database: Database, config: Config, work: (vault: Vault) => Promise<T>): Promise<T> {
  const { createVault } = await import('../lib/crypto/vault.ts');
  if (!config.keyService) return work(createVault(config.vaultKeys));
  return withService(config, async (service) =>
    work(createVault(config.vaultKeys, { working: await openWorking(database, service) })),
  );
}
