// Where the consumer lives and lived, from the request and three files: the same premises appear once, whatever their
// source.
import type { GenerateRequest, ReportUkAddress, Residency } from '@trefoil/contract';
import type { BureauAddress, SourcedFile } from '../bureaus/port.ts';
import { displayLines, joinLines } from './addresses/address-lines.ts';
import { addressId, premisesKey } from './addresses/premises.ts';
import { UK_ADDRESS_FIELDS } from './addresses/uk-address-fields.ts';
import { spelledBest } from './spelling.ts';

function toReportAddress(address: Partial<Record<(typeof UK_ADDRESS_FIELDS)[number], string | null>>): ReportUkAddress {
  return Object.fromEntries(UK_ADDRESS_FIELDS.map((field) => [field, address[field] ?? null])) as ReportUkAddress;
}

type Place = {
  readonly key: string;
  /** As the caller wrote it, if the caller gave it; otherwise as the most complete bureau wrote it. */
  readonly address: ReportUkAddress;
  readonly isInRequest: boolean;
  readonly isRequestedAsCurrent: boolean;
  readonly sightings: readonly BureauAddress[];
};

const fullness = (address: ReportUkAddress) => UK_ADDRESS_FIELDS.filter((field) => address[field] !== null).length;

/** Words in a bureau's mixed-case spelling, if one has it; codes stay in capitals. */
function inMixedCase(chosen: ReportUkAddress, addresses: readonly ReportUkAddress[]): ReportUkAddress {
  const { postcode, country } = chosen;
  const spelled = UK_ADDRESS_FIELDS.map((field) => {
    const text = chosen[field];
    return [
      field,
      text === null
        ? null
        : spelledBest(
            text,
            addresses.map((each) => each[field]),
          ),
    ];
  });
  return { ...(Object.fromEntries(spelled) as ReportUkAddress), postcode, country };
}

/** The most complete address; on a tie the order of the text decides, not the order of the input. */
function fullest(addresses: readonly ReportUkAddress[]): ReportUkAddress | undefined {
  const text = (address: ReportUkAddress) => JSON.stringify(address);
  const sorted = addresses.toSorted((a, b) => fullness(b) - fullness(a) || (text(a) < text(b) ? -1 : 1));
  return sorted[0] && inMixedCase(sorted[0], sorted);
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

/** One home at a time: the one the bureaus agree on; if they disagree or say nothing, the request decides. */
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
    // The longest stay any bureau has: the others learned of it later.
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
