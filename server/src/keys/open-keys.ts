// The front door of the key service: the service, and the working keys in memory.
import type { Log } from '../lib/log.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import type { KeyMetrics } from './key-metrics.ts';
import { type KeyServiceSettings, openKeyService } from './open-key-service.ts';
import type { KeyService } from './port.ts';
import { type OpenWorkingKeys, openWorkingKeys } from './working-keys.ts';

type Surroundings = {
  readonly database: Pick<OpenDatabase, 'asSystem'>;
  readonly metrics: KeyMetrics;
  readonly log: Log;
  readonly now: () => Date;
};

export type Keys = {
  readonly service: KeyService;
  readonly working: OpenWorkingKeys;
  /** While nodes change over one by one: they open what months wrap, and the ring still wraps. */
  readonly isRingFirst: boolean;
  /** Whether months are destroyed without a command. */
  readonly isDestroying: boolean;
};

/** Undefined where the configuration has no key service: then the ring wraps. */
export function openKeys(settings: KeyServiceSettings | undefined, surroundings: Surroundings): Keys | undefined {
  if (!settings) return undefined;
  const service = openKeyService(settings);
  const { cacheSeconds, destroyMonths: isDestroying = false, wrapBy = 'months' } = settings;
  const isRingFirst = wrapBy === 'ring';
  return { service, isDestroying, isRingFirst, working: openWorkingKeys({ ...surroundings, service, cacheSeconds }) };
}
