// The decision about a live request: the provider's, the built-in policy's, or the stricter of the two, as the tenant has
// chosen (docs/decisions/0137-built-in-policy.md). Reasons go only to the audit log.
import { unreachable } from '../lib/errors.ts';
import { createNetworkMatcher, networkOf } from '../lib/values/ip-address.ts';
import type { Screening, ScreeningOutcome, ScreeningRequest } from './port.ts';
import { judge, type PolicyFacts, type Thresholds } from './rules/built-in-policy.ts';
import { stricterOf } from './rules/stricter.ts';

/** The tenant's chosen policy and its thresholds. */
export type ScreeningSettings = Thresholds & { readonly policy: 'provider' | 'house' | 'stricter' };

export type Decide = (request: ScreeningRequest, settings: ScreeningSettings) => Promise<ScreeningOutcome>;

const isLocal = createNetworkMatcher([
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '0.0.0.0/8'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
]);

function factsOf({ device, ipAddress, consumer, velocity }: ScreeningRequest, now: Date): PolicyFacts {
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

function judgeByPolicy(request: ScreeningRequest, settings: ScreeningSettings, now: Date): ScreeningOutcome {
  const { kind, points, reasons } = judge(factsOf(request, now), settings);
  return { kind, reasons: [`house-points-${points}`, ...reasons] };
}

export function createDecide(provider: Screening, now: () => Date): Decide {
  return async (request, settings) => {
    switch (settings.policy) {
      case 'provider':
        return provider.screen(request);
      case 'house':
        return judgeByPolicy(request, settings, now());
      case 'stricter':
        return stricterOf(await provider.screen(request), judgeByPolicy(request, settings, now()));
      default:
        return unreachable(settings.policy);
    }
  };
}
