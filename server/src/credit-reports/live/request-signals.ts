// The identifying values of a live request, as keyed hashes: the mobile number, the person a device session belongs to,
// and the signals that screening counts. None of them is stored in clear text.
import type { GenerateRequest } from '@trefoil/contract';
import { networkOf } from '../../lib/values/ip-address.ts';
import { mobileCountry } from '../../lib/values/phone.ts';
import type { RequestSignals } from '../../screening/note-signals.ts';
import type { DeviceFacts } from '../../screening/port.ts';
import type { LiveDependencies } from '../dependencies.ts';
import type { Mobile } from '../messages/allow-delivery.ts';

/** The part of the number that the decision about a message needs. */
export function mobileOf(live: LiveDependencies, { mobileNumber }: GenerateRequest): Mobile | undefined {
  if (mobileNumber === undefined) return undefined;
  return { country: mobileCountry(mobileNumber), numberHash: live.hashMobile(mobileNumber) };
}

/** Ignores case and spacing of the names. */
function nameAndBirthOf({ firstName, lastName, dateOfBirth }: GenerateRequest): readonly string[] {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return [fold(firstName), fold(lastName), dateOfBirth];
}

function identityOf(request: GenerateRequest): readonly string[] {
  return [...nameAndBirthOf(request), request.addresses[0]?.ukAddress.postcode ?? ''];
}

/** The same person asking again from the same page. Without addresses: callers correct and reorder them in between. */
export function personOf(live: LiveDependencies, tenantId: string, request: GenerateRequest): Buffer {
  return live.hashPerson(tenantId, ...nameAndBirthOf(request));
}

/** Long enough to tell subjects apart, and half the index size. */
const SIGNAL_BYTES = 16;

export function hashSignals(
  live: LiveDependencies,
  request: GenerateRequest,
  device: DeviceFacts | undefined,
): RequestSignals {
  const hash = (...parts: readonly string[]) => live.hashSignal(...parts).subarray(0, SIGNAL_BYTES);
  const { ipAddress, mobileNumber } = request;
  const [identity, network] = [identityOf(request), networkOf(ipAddress)];
  return {
    person: hash('person', ...identity),
    network: hash('network', network),
    device: device && {
      atNetwork: hash('device', device.deviceDigest, network),
      withPerson: hash('device-of', device.deviceDigest, ...identity),
    },
    mobile: mobileNumber === undefined ? undefined : hash('mobile', mobileNumber),
  };
}
