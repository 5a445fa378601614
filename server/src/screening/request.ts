// Writes the provider's request. The wire is described in simulators/WIRE.md, "Screening".
import type { HttpCall } from '../lib/outside/http-line.ts';
import type { DeviceFacts, ScreeningRequest, SignalCounts, Velocity } from './port.ts';

export function writeRequest(apiKey: string, request: ScreeningRequest): HttpCall {
  const { reference, consumer, ipAddress, searchType, device, velocity } = request;
  const body = {
    reference,
    purpose: searchType,
    ipAddress,
    person: {
      title: consumer.title ?? null,
      firstName: consumer.firstName,
      middleName: consumer.middleName ?? null,
      lastName: consumer.lastName,
      dateOfBirth: consumer.dateOfBirth,
    },
    contact: { email: consumer.email ?? null, mobileNumber: consumer.mobileNumber ?? null },
    addresses: consumer.addresses.map(({ type, ukAddress }) => ({
      type,
      subBuildingName: ukAddress.subBuildingName ?? null,
      buildingName: ukAddress.buildingName ?? null,
      buildingNumber: ukAddress.buildingNumber ?? null,
      thoroughfare: ukAddress.thoroughfare ?? null,
      district: ukAddress.district ?? null,
      townOrCity: ukAddress.townOrCity,
      postcode: ukAddress.postcode,
    })),
    device: device ? writeDevice(device) : null,
    velocity: writeVelocity(velocity),
  };
  return {
    method: 'POST',
    path: '/v1/screenings',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  };
}

function writeDevice({ deviceDigest, collectedAt, network, timeZone, isAutomated, isDegraded }: DeviceFacts): object {
  return {
    digest: deviceDigest,
    collectedAt,
    ipAddress: network.ipAddress,
    userAgentFamily: network.userAgentFamily,
    timeZone: timeZone ?? null,
    automated: isAutomated ?? false,
    degraded: isDegraded ?? false,
  };
}

function writeVelocity({ person, network, device, mobile }: Velocity): object {
  const counts = ({ hour, day, otherPeople }: SignalCounts) => ({ hour, day, otherPeople });
  return {
    person: counts(person),
    network: counts(network),
    device: device ? { ...counts(device), knownWithPerson: device.isKnownWithPerson } : null,
    mobile: mobile ? counts(mobile) : null,
  };
}
