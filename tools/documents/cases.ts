// Twenty-one chosen reports: the ordinary ones and those that break documents. Each has a golden view, and people looked at
// the pages of each.
import type { AccountRecord, AccountStatus, AccountType, BureauResult, CreditReport } from '@trefoil/contract';
import type { CompletedReport } from '../../server/src/credit-reports/reading/completed-report.ts';
import { STATUS_WORDS, TYPE_WORDS } from '../../server/src/documents/view/words.ts';
import type { ProvenanceSource, SearchedWith } from '../../server/src/merge/provenance.ts';
import { writeProvenance } from '../../server/src/merge/provenance-text.ts';
import { completedPerson } from './people.ts';

type Kept = NonNullable<CompletedReport['kept']>;
type Records = Kept['provenance']['records'];

/** Changes the report and what was kept of it together. */
function changed(
  base: CompletedReport,
  change: (report: CreditReport, records: Records) => { report: CreditReport; records: Records },
): CompletedReport {
  const before = JSON.parse(base.reportText) as CreditReport;
  const { report, records } = change(before, base.kept?.provenance.records ?? []);
  const provenance = base.kept && { ...base.kept.provenance, records };
  return {
    ...base,
    reportText: JSON.stringify(report),
    kept: base.kept && provenance && { ...base.kept, provenance, provenanceText: writeProvenance(provenance) },
  };
}

/** The same report, asked for with other details. */
function searchedAs(base: CompletedReport, details: Partial<SearchedWith>): CompletedReport {
  const request = { ...base.request, ...details };
  const provenance = base.kept && { ...base.kept.provenance, searched: request };
  const kept = base.kept && provenance && { ...base.kept, provenance, provenanceText: writeProvenance(provenance) };
  return { ...base, request, kept };
}

/** The same accounts again and again, up to this many. */
const repeated = (base: CompletedReport, count: number) =>
  changed(base, (report, records) => {
    const at = <T>(list: readonly T[], place: number) => list[place % list.length] as T;
    const places = Array.from({ length: count }, (_, place) => place);
    const accounts = places.map((place) => at(report.consumerData.records, place));
    return {
      report: { ...report, consumerData: { records: accounts } },
      records: places.map((place) => at(records, place)),
    };
  });

function withOutcomes(base: CompletedReport, outcomes: readonly BureauResult['outcome'][]): CompletedReport {
  const bureauResults = base.bureauResults.map(({ bureau }, place) => ({ bureau, outcome: outcomes[place] ?? 'ok' }));
  const isHeard = (bureau: string) => bureauResults.some((each) => each.bureau === bureau && each.outcome === 'ok');
  const heard = changed(base, (report, records) => {
    const kept = report.consumerData.records
      .map((record, place) => ({
        record: { ...record, bureaus: record.bureaus.filter(({ id }) => isHeard(id)) },
        said: { ...records[place], sources: records[place]?.sources.filter(({ bureau }) => isHeard(bureau)) ?? [] },
      }))
      .filter(({ record }) => record.bureaus.length > 0);
    const isFound = bureauResults.some(({ outcome }) => outcome === 'ok');
    return {
      report: {
        ...report,
        residencies: isFound ? report.residencies : [],
        consumerData: { records: kept.map(({ record }) => record) },
        previousSearches: isFound ? report.previousSearches : { providers: [] },
      },
      records: kept.map(({ said }) => ({ ...said, lender: said.lender ?? null })),
    };
  });
  const { kept } = heard;
  const bureaus = bureauResults.map(({ bureau, outcome }) => ({
    ...{ bureau, outcome, replySha256: outcome === 'unavailable' ? null : 'ab'.repeat(32) },
    accounts:
      outcome === 'ok' ? (base.kept?.provenance.bureaus.find((each) => each.bureau === bureau)?.accounts ?? 0) : null,
    answeredAt: outcome === 'unavailable' ? null : '2026-06-01T16:11:20.000Z',
  }));
  return { ...heard, bureauResults, kept: kept && { ...kept, provenance: { ...kept.provenance, bureaus } } };
}

/** Changes every account and everything said about it. */
const everyAccount = (
  base: CompletedReport,
  record: (record: AccountRecord, place: number) => Partial<AccountRecord>,
  source: (source: ProvenanceSource, place: number, recordPlace: number) => Partial<ProvenanceSource>,
) =>
  changed(base, (report, records) => ({
    report: {
      ...report,
      consumerData: {
        records: report.consumerData.records.map((each, place) => ({ ...each, ...record(each, place) })),
      },
    },
    records: records.map(({ sources, lender }, recordPlace) => ({
      ...{ lender, sources: sources.map((each, place) => ({ ...each, ...source(each, place, recordPlace) })) },
    })),
  }));

const onlyCars = (base: CompletedReport) =>
  changed(base, (report, records) => {
    const isCar = report.consumerData.records.map(({ accountType }) => accountType === 'hire-purchase');
    return {
      report: { ...report, consumerData: { records: report.consumerData.records.filter((_, place) => isCar[place]) } },
      records: records.filter((_, place) => isCar[place]),
    };
  });

const withoutCars = (base: CompletedReport) =>
  changed(base, (report, records) => {
    const isOther = report.consumerData.records.map(({ accountType }) => accountType !== 'hire-purchase');
    return {
      report: {
        ...report,
        consumerData: { records: report.consumerData.records.filter((_, place) => isOther[place]) },
      },
      records: records.filter((_, place) => isOther[place]),
    };
  });

const named = (base: CompletedReport, person: { title: string; firstName: string; lastName: string }) => {
  const renamed = changed(base, (report, records) => ({
    report: { ...report, person: { ...report.person, ...person } },
    records,
  }));
  return searchedAs(renamed, person);
};

export const HOSTILE = {
  reordered: 'Łucja \u202Enoitcnufrof\u202C',
  emoji: '😀 ราชา 王 محمد',
  piled: `Z${'\u0301\u0323\u0302\u0308'.repeat(12)}algo`,
  markup: '<script>alert(1)</script> & “Söhne” <b>',
  hidden: 'zero\u200Bwidth\u0000null\u2028break',
  lone: 'half \uD800 pair',
  welsh: 'Ŵŷn Tŷ’r Ŷd ŁÓDŹ Şahin',
} as const;

const ordinary = () => completedPerson('standard', 1);

export const CASES: Readonly<Record<string, () => CompletedReport>> = {
  ordinary,
  'no-records': () => repeated(ordinary(), 0),
  'one-record': () => repeated(onlyCars(ordinary()), 1),
  'hundred-records': () => repeated(ordinary(), 100),
  'hundred-and-one-records': () => repeated(ordinary(), 101),
  'hundred-and-one-cars': () => repeated(onlyCars(ordinary()), 101),
  'no-car-finance': () => withoutCars(ordinary()),
  'very-long-names': () =>
    everyAccount(
      named(ordinary(), { title: 'Dr', firstName: 'Wolfeschlegelsteinhausen'.repeat(4), lastName: 'W'.repeat(100) }),
      (_, place) => ({ companyName: place % 2 === 0 ? 'x'.repeat(200) : 'Long Name of a Lender '.repeat(9) }),
      () => ({ companyName: 'VERYLONGLENDERNAME'.repeat(8), ref: 'r'.repeat(120), lastName: 'y'.repeat(100) }),
    ),
  'hostile-letters': () =>
    everyAccount(
      named(ordinary(), { title: HOSTILE.emoji, firstName: HOSTILE.reordered, lastName: HOSTILE.piled }),
      (_, place) => ({ companyName: Object.values(HOSTILE)[place % 7] ?? '' }),
      (_, place) => ({ companyName: Object.values(HOSTILE)[(place + 3) % 7] ?? '', ref: HOSTILE.hidden }),
    ),
  'all-untraced': () => withOutcomes(ordinary(), ['no-trace', 'no-trace', 'no-trace']),
  'untraced-and-silent': () => withOutcomes(ordinary(), ['no-trace', 'unavailable', 'no-trace']),
  'one-silent': () => withOutcomes(ordinary(), ['ok', 'unavailable', 'ok']),
  'one-untraced': () => withOutcomes(ordinary(), ['no-trace', 'ok', 'ok']),
  'one-agency': () => {
    const base = withOutcomes(ordinary(), ['ok', 'unavailable', 'unavailable']);
    return { ...base, bureauResults: base.bureauResults.slice(0, 1) };
  },
  disagreements: () =>
    everyAccount(
      ordinary(),
      () => ({}),
      ({ startBalancePence }, place) => ({
        startDate: `202${place}-03-0${1 + place}`,
        endDate: place === 1 ? null : `2025-0${1 + place}`,
        startBalancePence: (startBalancePence ?? 900_000) + place * 50_000,
        numberOfPayments: 36 + place,
        accountStatus: place === 0 ? 'settled' : 'open',
        lastName: place === 2 ? 'FORMER-NAME' : 'ALDEN',
      }),
    ),
  'wide-words': () => {
    const [types, statuses] = [TYPE_WORDS, STATUS_WORDS].map(Object.keys) as [AccountType[], AccountStatus[]];
    const large = { amount: 123_456_789, currency: 'GBP' } as const;
    return everyAccount(
      repeated(ordinary(), types.length),
      (_, place) => ({
        accountType: types[place] ?? 'other',
        accountStatus: statuses[place % statuses.length] ?? 'unknown',
        ...{ balance: large, startBalance: large, payment: large },
      }),
      (_, place, recordPlace) => ({
        accountType: types[recordPlace] ?? 'other',
        accountStatus: statuses[(place * 5) % statuses.length] ?? 'unknown',
        ...{ balancePence: 123_456_789, startBalancePence: 123_456_789, paymentPence: 123_456_789 },
        ...{ balloonPence: 123_456_789, moneyStepPence: 1 },
      }),
    );
  },
  test: () => ({ ...ordinary(), isTest: true }),
  'without-provenance': () => ({ ...ordinary(), kept: null }),
  'nothing-given': () =>
    everyAccount(
      ordinary(),
      () => ({
        ...{ title: null, firstName: null, lastName: null, accountNumber: null, companyName: null },
        ...{ numberOfPayments: null, repaymentPeriod: null, payment: null, startBalance: null, balance: null },
        ...{ startDate: null, accountStatus: 'unknown' },
      }),
      () => ({
        ...{ title: null, firstName: null, lastName: null, accountNumberTail: null, companyName: '' },
        ...{ startDate: null, endDate: null, updatedDate: null, numberOfPayments: null, repaymentPeriodMonths: null },
        ...{ paymentPence: null, startBalancePence: null, balancePence: null, balloonPence: null, isJoint: null },
        accountStatus: 'unknown',
      }),
    ),
  'old-agreements': () =>
    everyAccount(
      ordinary(),
      (_, place) => ({ startDate: `${1998 + place * 4}-05-11`, accountStatus: place % 2 === 0 ? 'open' : 'settled' }),
      () => ({ endDate: null }),
    ),
  'many-addresses': () => {
    const base = completedPerson('harsh', 6);
    const [first] = base.request.addresses;
    const addresses = Array.from({ length: 10 }, (_, place) => ({
      type: place === 0 ? 'current' : 'previous',
      ukAddress: {
        ...first?.ukAddress,
        subBuildingName: `Flat ${place + 1}`,
        townOrCity: 'Llanfairpwllgwyngyll',
        postcode: 'HS10 2SD',
      },
    }));
    return searchedAs(base, { addresses });
  },
};
