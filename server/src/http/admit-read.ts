// A tenant's reads are limited while other tenants are active too. A read costs only the processor and the audit log, so a
// few at a time are as fast as all at once, and the other tenants wait behind only those few
// (docs/decisions/0140-admission.md).
import { busy } from '../lib/errors.ts';
import { createPlaces, type Release } from '../lib/limits/places.ts';
import type { Presence } from '../lib/limits/presence.ts';
import type { HttpMetrics } from './http-metrics.ts';

const READ_PLACE = 'read';
const READS_MAX = 512;
/** The reads one tenant may run at once while other tenants are active. */
const AT_A_TIME = 4;
const ALONE_MS = 1_000;
const WAITING_MAX = 2_000;
const WAIT_MS = 2_000;
/** Below the 30 s of silence after which the server closes a connection. */
const PAGE_WAIT_MS = 20_000;
const REST_MS = 500;

/**
 * Admits a tenant's request, or a further page of a file. A file has already been answered with 200, so its pages get no
 * 503: each asks again until it is admitted, and a page that is not admitted within 20 s ends the file early.
 */
export type AdmitRead = (tenantId: string, reading?: 'request' | 'page') => Promise<Release>;

export function createAdmitRead({ isAlone }: Presence, metrics: HttpMetrics): AdmitRead {
  const places = createPlaces({ counts: { [READ_PLACE]: READS_MAX }, waitingMax: WAITING_MAX, isAlone });
  places.limitGroup(READ_PLACE, { count: AT_A_TIME, aloneMs: ALONE_MS });
  return async (tenantId, reading = 'request') => {
    const untilMs = performance.now() + (reading === 'page' ? PAGE_WAIT_MS : 0);
    let release = await places.take([READ_PLACE], tenantId, WAIT_MS);
    while (!release && performance.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      release = await places.take([READ_PLACE], tenantId, WAIT_MS);
    }
    if (release) return release;
    metrics.refusals.inc({ reason: 'reads' });
    throw busy();
  };
}
