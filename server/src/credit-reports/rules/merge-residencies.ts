// Where the consumer lives and lived, out of the request and three files: the same premises once, whoever named them.
import type { Bureau, GenerateRequest, ReportUkAddress, Residency } from '@trefoil/contract';
import type { BureauAddress, SourcedFile } from '../../bureaus/port.ts';
import { displayLines, joinLines } from './address-lines.ts';
import { addressId, premisesKey } from './premises.ts';
import { UK_ADDRESS_FIELDS } from './uk-address-fields.ts';

const BUREAU_ORDER: readonly Bureau[] = ['equifax', 'experian', 'transunion'];

function toReportAddress(address: Partial<Record<(typeof UK_ADDRESS_FIELDS)[number], string | null>>): ReportUkAddress {
  return Object.fromEntries(UK_ADDRESS_FIELDS.map((field) => [field, address[field] ?? null])) as ReportUkAddress;
}

type Place = {
  /** As the caller wrote it, where the caller named it; else as the fullest bureau did. */
  readonly address: ReportUkAddress;
  readonly isRequestedAsCurrent: boolean;
  readonly isInRequest: boolean;
  readonly sightings: readonly BureauAddress[];
};

const fullness = (address: ReportUkAddress) => UK_ADDRESS_FIELDS.filter((field) => address[field] !== null).length;

function gather(request: Pick<GenerateRequest, 'addresses'>, files: readonly SourcedFile[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { type, ukAddress } of request.addresses) {
    const address = toReportAddress(ukAddress);
    const key = premisesKey(address);
    const isRequestedAsCurrent = type.trim().toLowerCase() === 'current';
    const known = places.get(key);
    places.set(key, {
      address: known?.address ?? address,
      isRequestedAsCurrent: isRequestedAsCurrent || known?.isRequestedAsCurrent === true,
      isInRequest: true,
      sightings: [],
    });
  }
  const ordered = files.toSorted((a, b) => BUREAU_ORDER.indexOf(a.bureau) - BUREAU_ORDER.indexOf(b.bureau));
  for (const { file } of ordered) {
    for (const sighting of file.addresses) {
      const address = toReportAddress(sighting);
      const key = premisesKey(address);
      const known = places.get(key);
      const keepsKnown = known && (known.isInRequest || fullness(known.address) >= fullness(address));
      places.set(key, {
        address: keepsKnown ? known.address : address,
        isRequestedAsCurrent: known?.isRequestedAsCurrent === true,
        isInRequest: known?.isInRequest === true,
        sightings: [...(known?.sightings ?? []), sighting],
      });
    }
  }
  return places;
}

/** One home at a time: where the bureaus disagree, the address of the request wins, else the one most of them name. */
function chooseCurrent(places: readonly (readonly [string, Place])[]): string | undefined {
  const votes = ({ sightings }: Place) => sightings.filter(({ isCurrent }) => isCurrent === true).length;
  const ranked = places.toSorted(
    ([keyA, a], [keyB, b]) =>
      Number(b.isRequestedAsCurrent) - Number(a.isRequestedAsCurrent) || votes(b) - votes(a) || (keyA < keyB ? -1 : 1),
  );
  const [best] = ranked;
  return best && (best[1].isRequestedAsCurrent || votes(best[1]) > 0) ? best[0] : undefined;
}

export function mergeResidencies(
  request: Pick<GenerateRequest, 'addresses'>,
  files: readonly SourcedFile[],
): Residency[] {
  const places = [...gather(request, files)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const currentKey = chooseCurrent(places);
  const residencies = places.map(([key, { address, sightings }]) => {
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
      isCurrent: key === currentKey,
    };
  });
  return residencies.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}
