// Where the consumer lives and lived, out of the request and three files: the same premises once, whoever named them.
import type { GenerateRequest, ReportUkAddress, Residency } from '@trefoil/contract';
import type { BureauAddress, SourcedFile } from '../../bureaus/port.ts';
import { displayLines, joinLines } from './address-lines.ts';
import { addressId, premisesKey } from './premises.ts';
import { UK_ADDRESS_FIELDS } from './uk-address-fields.ts';

function toReportAddress(address: Partial<Record<(typeof UK_ADDRESS_FIELDS)[number], string | null>>): ReportUkAddress {
  return Object.fromEntries(UK_ADDRESS_FIELDS.map((field) => [field, address[field] ?? null])) as ReportUkAddress;
}

type Place = {
  readonly key: string;
  /** As the caller wrote it, where the caller named it; else as the fullest bureau did. */
  readonly address: ReportUkAddress;
  readonly isInRequest: boolean;
  readonly isRequestedAsCurrent: boolean;
  readonly sightings: readonly BureauAddress[];
};

const fullness = (address: ReportUkAddress) => UK_ADDRESS_FIELDS.filter((field) => address[field] !== null).length;

/** The fullest telling; where several are as full, the order of their text decides and not that of the input. */
function fullest(addresses: readonly ReportUkAddress[]): ReportUkAddress | undefined {
  const text = (address: ReportUkAddress) => JSON.stringify(address);
  return addresses.toSorted((a, b) => fullness(b) - fullness(a) || (text(a) < text(b) ? -1 : 1))[0];
}

const isCurrentType = (type: string) => type.trim().toLowerCase() === 'current';

function gather(request: Pick<GenerateRequest, 'addresses'>, files: readonly SourcedFile[]): Place[] {
  const asked = request.addresses.map(({ type, ukAddress }) => ({ type, address: toReportAddress(ukAddress) }));
  const seen = files.flatMap(({ file }) => file.addresses);
  const askedByKey = Map.groupBy(asked, ({ address }) => premisesKey(address));
  const seenByKey = Map.groupBy(seen, (sighting) => premisesKey(toReportAddress(sighting)));
  const keys = [...new Set([...askedByKey.keys(), ...seenByKey.keys()])].toSorted();
  return keys.map((key) => {
    const own = askedByKey.get(key) ?? [];
    const sightings = seenByKey.get(key) ?? [];
    return {
      key,
      address: (own[0]?.address ?? fullest(sightings.map(toReportAddress))) as ReportUkAddress,
      isInRequest: own.length > 0,
      isRequestedAsCurrent: own.some(({ type }) => isCurrentType(type)),
      sightings,
    };
  });
}

/** One home at a time: what the bureaus agree on; where they disagree or say nothing, the request decides. */
function chooseCurrent(places: readonly Place[]): Place | undefined {
  const votes = ({ sightings }: Place) => sightings.filter(({ isCurrent }) => isCurrent === true).length;
  const named = places.filter((place) => votes(place) > 0);
  if (named.length === 1) return named[0];
  const candidates = named.length > 0 ? named : places;
  const requested = candidates.find(({ isRequestedAsCurrent }) => isRequestedAsCurrent);
  if (requested ?? named.length === 0) return requested;
  return candidates.toSorted(
    (a, b) => Number(b.isInRequest) - Number(a.isInRequest) || votes(b) - votes(a) || (a.key < b.key ? -1 : 1),
  )[0];
}

export function mergeResidencies(
  request: Pick<GenerateRequest, 'addresses'>,
  files: readonly SourcedFile[],
): Residency[] {
  const places = gather(request, files);
  const current = chooseCurrent(places);
  const residencies = places.map((place) => {
    const { address, sightings } = place;
    const lines = displayLines(address);
    // The longest stay any bureau knows of: the others heard of it later.
    const months = sightings.reduce<number | null>(
      (longest, { monthsAtAddress }) => (monthsAtAddress === null ? longest : Math.max(longest ?? 0, monthsAtAddress)),
      null,
    );
    return {
      addressId: addressId(address),
      address: { type: 'uk' as const, ukAddress: address, addressLine1: joinLines(lines), lines },
      yearsAtAddress: months === null ? null : Math.floor(months / 12),
      monthsAtAddress: months === null ? null : months % 12,
      isCurrent: place === current,
    };
  });
  return residencies.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}
