// The decision about a live request: the provider's, the house policy's, or the stricter of the two, as the tenant wants
// it (docs/decisions/0137). Reasons are for the audit log alone.
import { unreachable } from '../lib/errors.ts';
import { createNetworkMatcher, networkOf } from '../lib/ip-address.ts';
import type { Screening, ScreeningOutcome, ScreeningRequest } from './port.ts';
import { type HouseFacts, judge } from './rules/house-policy.ts';
import { stricterOf } from './rules/stricter.ts';
import type { ScreeningSettings } from './settings-store.ts';

export { listScreeningSettings, type ScreeningSettings } from './settings-store.ts';

export type Decide = (request: ScreeningRequest, settings: ScreeningSettings) => Promise<ScreeningOutcome>;

const isLocal = createNetworkMatcher([
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '0.0.0.0/8'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
]);

function factsOf({ device, ipAddress, consumer, velocity }: ScreeningRequest, now: Date): HouseFacts {
  const seenFrom = device?.network.ipAddress ?? undefined;
  return {
    device,
    isSameNetwork: seenFrom === undefined ? undefined : networkOf(seenFrom) === networkOf(ipAddress),
    isNetworkPublic: !isLocal(ipAddress),
    hasMobile: consumer.mobileNumber !== undefined,
    velocity,
    now,
  };
}

function judgeByHouse(request: ScreeningRequest, settings: ScreeningSettings, now: Date): ScreeningOutcome {
  const { kind, points, reasons } = judge(factsOf(request, now), settings);
  return { kind, reasons: [`house-points-${points}`, ...reasons] };
}

export function createDecide(provider: Screening, now: () => Date): Decide {
  return async (request, settings) => {
    switch (settings.policy) {
      case 'provider':
        return provider.screen(request);
      case 'house':
        return judgeByHouse(request, settings, now());
      case 'stricter':
        return stricterOf(await provider.screen(request), judgeByHouse(request, settings, now()));
      default:
        return unreachable(settings.policy);
    }
  };
}
