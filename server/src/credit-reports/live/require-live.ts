// Whether live mode is available, and for these bureaus.
import type { Bureau } from '@trefoil/contract';
import { type Fault, ServiceError } from '../../lib/errors.ts';
import type { LiveDependencies } from '../dependencies.ts';

const CLOSED_RETRY_SECONDS = 3_600;

/** Throws service-unavailable while the deployment has no providers for live mode. */
export function requireLive({ live }: { readonly live: LiveDependencies | undefined }): LiveDependencies {
  if (live) return live;
  throw new ServiceError(
    'service-unavailable',
    'Live reports are not available yet. Set test to true to use test mode.',
    {
      retryAfterSeconds: CLOSED_RETRY_SECONDS,
    },
  );
}

/** Refuses a bureau that the deployment does not have: the tenant would pay for a report that was thin before it began. */
export function requireConfigured({ bureaus: configured }: LiveDependencies, bureaus: readonly Bureau[]): void {
  const message = `This bureau cannot be asked here. Use one of: ${configured.join(', ')}.`;
  const details = bureaus.flatMap((bureau, place): Fault[] =>
    configured.includes(bureau) ? [] : [{ path: `/bureaus/${place}`, message }],
  );
  if (details.length === 0) return;
  throw new ServiceError('validation-error', 'The request body is not valid; details lists what to correct.', {
    details,
  });
}
