// Complete reports of invented people, from the merge benchmark's generator. A pure function of profile and index.
import type { Bureau, BureauResult, GenerateRequest } from '@trefoil/contract';
import { generateReport } from '../../bench/merge/generate.ts';
import { REGISTRY } from '../../bench/merge/lenders.ts';
import type { Profile } from '../../bench/merge/noise.ts';
import type { BureauAddress, BureauSearch, SourcedFile } from '../../server/src/bureaus/port.ts';
import type { CompletedReport } from '../../server/src/credit-reports/reading/completed-report.ts';
import { buildProvenance } from '../../server/src/merge/build-provenance.ts';
import { mergeReport } from '../../server/src/merge/merge-report.ts';
import type { ProvenanceReply } from '../../server/src/merge/provenance.ts';
import { writeProvenance } from '../../server/src/merge/provenance-text.ts';

const SEED = 17;
const COMPLETED_AT = new Date('2026-06-01T16:11:20Z');
export const TENANT_NAME = 'Example Claims Limited';

const STREETS = ['Harbour Street', 'Weavers Walk', 'Mill Lane', 'St Brannock’s Road', 'Tŷ Mawr Close'];
const SEARCHERS = [
  'Doorwell Credit',
  'Pellow Drive',
  'Tanager Card',
  'Marlpit Cards',
  'Ottermouth Bank',
  'Hollinsworth',
];

const address = (index: number, isCurrent: boolean): BureauAddress => ({
  subBuildingName: index % 5 === 3 ? `Flat ${1 + (index % 40)}` : null,
  buildingName: index % 7 === 2 ? 'Slate Mill' : null,
  buildingNumber: String(1 + ((index * 7) % 180)),
  thoroughfare: STREETS[index % STREETS.length] ?? null,
  ...{ district: null, townOrCity: 'TARRAGEO', county: null, country: 'GB' },
  postcode: isCurrent ? 'HS10 2SD' : 'HS10 5TD',
  ...{ monthsAtAddress: (index * 13) % 140, isCurrent },
});

const search = (index: number, place: number): BureauSearch => ({
  companyName: SEARCHERS[(index + place) % SEARCHERS.length] ?? '',
  companyNameLimit: 60,
  date: `202${4 + (place % 2)}-0${1 + ((index + place) % 9)}-1${place % 9}`,
});

/** Most agencies find a file; now and then one is silent, or one or all find nobody. */
export function outcomeOf(index: number, place: number): BureauResult['outcome'] {
  if (index % 40 === 39) return place === 2 ? 'unavailable' : 'no-trace';
  if (index % 7 === 3 && place === 1) return 'unavailable';
  return index % 11 === 5 && place === 0 ? 'no-trace' : 'ok';
}

const replyOf = ({ bureau, outcome }: BureauResult, files: readonly SourcedFile[]): ProvenanceReply => ({
  ...{ bureau, outcome },
  accounts: outcome === 'ok' ? (files.find((each) => each.bureau === bureau)?.file.accounts.length ?? 0) : null,
  answeredAt: outcome === 'unavailable' ? null : '2026-06-01T16:11:20.000Z',
  replySha256: outcome === 'unavailable' ? null : 'ab'.repeat(32),
});

export function completedPerson(profile: Profile, index: number): CompletedReport {
  const { person, files: generated } = generateReport(SEED, profile, index);
  const { title, firstName, lastName } = person.name;
  const places: readonly Bureau[] = ['equifax', 'experian', 'transunion'];
  const bureauResults = places.map((bureau, place) => ({ bureau, outcome: outcomeOf(index, place) }));
  const files = generated
    .filter(({ bureau }) => bureauResults.some((each) => each.bureau === bureau && each.outcome === 'ok'))
    .map(({ bureau, file }) => ({
      bureau,
      file: {
        ...file,
        addresses: [address(index, true), ...(index % 3 === 0 ? [address(index + 3, false)] : [])],
        searches: Array.from({ length: index % 7 }, (_, place) => search(index, place)),
      },
    }));
  const asGiven = ({ subBuildingName, buildingName, buildingNumber, thoroughfare, postcode }: BureauAddress) => ({
    ...(subBuildingName === null ? {} : { subBuildingName }),
    ...(buildingName === null ? {} : { buildingName }),
    ...(buildingNumber === null ? {} : { buildingNumber }),
    ...(thoroughfare === null ? {} : { thoroughfare }),
    ...{ townOrCity: 'Tarrageo', postcode: postcode ?? '' },
  });
  const request: GenerateRequest = {
    ...{ sessionId: 'session', bureaus: [...places], ipAddress: '192.0.2.1', searchType: 'pcp' },
    ...{ title, firstName, lastName, dateOfBirth: `19${50 + (index % 50)}-0${1 + (index % 9)}-22` },
    addresses: [
      { type: 'current', ukAddress: asGiven(address(index, true)) },
      ...(index % 3 === 0 ? [{ type: 'previous', ukAddress: asGiven(address(index + 3, false)) }] : []),
    ],
  };
  const { report, merged } = mergeReport(request, files, REGISTRY);
  const replies = bureauResults.map((result) => replyOf(result, files));
  const provenance = buildProvenance(merged, { request, replies, salt: '00112233445566778899aabbccddeeff' });
  const hex = index.toString(16).padStart(12, '0');
  return {
    creditReportId: `019e83d2-7a41-7c38-9b1e-${hex}`,
    tenantId: '019e83d2-0000-7000-8000-000000000001',
    ...{ tenantName: TENANT_NAME, completedAt: COMPLETED_AT, isTest: false, request },
    ...{ reportText: JSON.stringify(report), bureauResults },
    authentication: { method: 'sms-code', at: COMPLETED_AT },
    kept: {
      provenance,
      provenanceText: writeProvenance(provenance),
      reportSalt: 'ffeeddccbbaa99887766554433221100',
    },
  };
}
