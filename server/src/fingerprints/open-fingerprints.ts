// The front door of fingerprints: the script for tenants' pages, and the collection of its data.
import type { FastifyInstance } from 'fastify';
import { createVisitorAddress } from '../http/connections/visitor-address.ts';
import type { HttpMetrics } from '../http/http-metrics.ts';
import { createAddressLimit } from '../http/rate-limit.ts';
import type { RingKey } from '../lib/crypto/vault.ts';
import type { Limits } from '../lib/limits/limits.ts';
import type { Log } from '../lib/log.ts';
import { createDeviceSessions } from './device-session.ts';
import { registerFingerprintRoutes } from './routes.ts';
import { readFingerprintScript } from './script.ts';

type FingerprintSettings = {
  readonly vaultKeys: readonly [RingKey, ...RingKey[]];
  readonly trustedProxies: readonly string[];
  readonly fingerprintProxies: readonly string[];
  readonly collectionRate: number;
};

/** A page may load a few scripts at once before the rate limit of its network applies. */
const BURST_SECONDS = 4;

type Surroundings = {
  readonly limits: Limits;
  readonly metrics: Pick<HttpMetrics, 'proxiesWithoutAddress'>;
  readonly log: Log;
  readonly now: () => Date;
};

export function openFingerprints(settings: FingerprintSettings, { limits, metrics, log, now }: Surroundings) {
  const sessions = createDeviceSessions(settings.vaultKeys);
  return {
    /** Undefined when the session is unknown, forged or too old. */
    openSession(sessionId: string) {
      const session = sessions.open(sessionId, now());
      return session.kind === 'known' ? session : undefined;
    },
    register(http: FastifyInstance): void {
      const { collectionRate, trustedProxies, fingerprintProxies } = settings;
      const rate = { perSecond: collectionRate, burst: collectionRate * BURST_SECONDS };
      const addressOf = createVisitorAddress([...trustedProxies, ...fingerprintProxies], () => {
        const setting = 'TREFOIL_FINGERPRINT_PROXIES';
        metrics.proxiesWithoutAddress.inc({ setting });
        log.warn('a trusted proxy told no address', { setting });
      });
      registerFingerprintRoutes(http, {
        ...{ sessions, now, addressOf },
        script: readFingerprintScript(),
        limitScript: createAddressLimit(limits, { key: 'fingerprint-script', rate }, addressOf),
        limitCollection: createAddressLimit(limits, { key: 'fingerprint', rate }, addressOf),
      });
    },
  };
}
