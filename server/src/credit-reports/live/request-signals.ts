// The identifying values of a live request, as keyed hashes: the mobile number, the person a device session belongs to,
// and the signals that screening counts. None of them is stored in clear text.
import type { GenerateRequest } from '@trefoil/contract';
import type { Hashes } from '../../lib/crypto/hash-ring.ts';
import { networkOf } from '../../lib/values/ip-address.ts';
import { mobileCountry } from '../../lib/values/phone.ts';
import type { RequestSignals, SignalsOfRequest } from '../../screening/note-signals.ts';
import type { DeviceFacts } from '../../screening/port.ts';
import type { LiveDependencies } from '../dependencies.ts';
import type { Mobile } from '../messages/allow-delivery.ts';

/** The part of the number that the decision about a message needs. */
export function mobileOf(live: LiveDependencies, { mobileNumber }: GenerateRequest): Mobile | undefined {
  if (mobileNumber === undefined) return undefined;
  return { country: mobileCountry(mobileNumber), numberHashes: live.hashMobile.every(mobileNumber) };
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
export function personOf(
  live: Pick<LiveDependencies, 'hashPerson'>,
  tenantId: string,
  request: GenerateRequest,
): Hashes {
  return live.hashPerson.every(tenantId, ...nameAndBirthOf(request));
}

/** Long enough to tell subjects apart, and half the index size. */
const SIGNAL_BYTES = 16;

/** Under each key of the ring. */
export function hashSignals(
  live: Pick<LiveDependencies, 'hashSignal'>,
  request: GenerateRequest,
  device: DeviceFacts | undefined,
): SignalsOfRequest {
  const hash = (...parts: readonly string[]) =>
    live.hashSignal.every(...parts).map((each) => each.subarray(0, SIGNAL_BYTES));
  const { ipAddress, mobileNumber } = request;
  const [identity, network] = [identityOf(request), networkOf(ipAddress)];
  const people = hash('person', ...identity);
  const networks = hash('network', network);
  const devices = device && {
    atNetwork: hash('device', device.deviceDigest, network),
    withPerson: hash('device-of', device.deviceDigest, ...identity),
  };
  const mobiles = mobileNumber === undefined ? undefined : hash('mobile', mobileNumber);
  // Every list has an entry for each key.
  const at = (hashes: readonly Buffer[], place: number) => hashes[place] as Buffer;
  const signals = people.map(
    (person, place): RequestSignals => ({
      person,
      network: at(networks, place),
      device: devices && { atNetwork: at(devices.atNetwork, place), withPerson: at(devices.withPerson, place) },
      mobile: mobiles && at(mobiles, place),
    }),
  );
  return signals as unknown as SignalsOfRequest;
}
