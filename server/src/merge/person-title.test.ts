// The names and titles in a report when bureaus spell them differently, through the whole merge.
import type { Bureau } from '@trefoil/contract';
import { expect, test } from 'vitest';
import type { BureauAccount, BureauAddress, BureauFile, SourcedFile } from '../bureaus/port.ts';
import { mergeReport } from './merge-report.ts';

const request = {
  firstName: 'Joan',
  lastName: "O'Dowd",
  dateOfBirth: '1984-03-09',
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '14', townOrCity: 'Ludforth', postcode: 'HR10 2AB' } }],
};

let refs = 0;
function account(title: string | null, firstName: string, lastName: string): BureauAccount {
  refs += 1;
  return {
    ...{ ref: `r${refs}`, accountType: 'credit-card', accountStatus: 'open', companyType: 'bank' },
    ...{ companyName: `LENDER ${refs}`, companyNameLimit: 40, otherCompanyNames: [], title, firstName, lastName },
    ...{ accountNumberTail: null, startDate: null, endDate: null, updatedDate: null, numberOfPayments: null },
    ...{ repaymentPeriodMonths: null, paymentPence: null, startBalancePence: null, balancePence: null },
    ...{ balloonPence: null, moneyStepPence: 1, isJoint: null },
  };
}

const source = (bureau: Bureau, parts: Partial<BureauFile>): SourcedFile => ({
  bureau,
  file: { accounts: [], addresses: [], searches: [], ...parts },
});

const titles: [string, readonly [Bureau, readonly BureauAccount[]][], string | null][] = [
  ['no bureau tells one', [['equifax', [account(null, 'JOAN', "O'DOWD")]]], null],
  [
    'most accounts under exactly this name say it, spelt as people write it',
    [
      ['equifax', [account('DR', 'JOAN', "O'DOWD")]],
      ['experian', [account('MRS', 'JOAN', "O'DOWD")]],
      ['transunion', [account('Mrs', 'Joan', "O'Dowd")]],
    ],
    'Mrs',
  ],
  ['only capitals came: nothing is invented', [['experian', [account('MRS', 'JOAN', "O'DOWD")]]], 'MRS'],
  [
    'a partner, a former name and an initial tell nothing',
    [
      ['equifax', [account('MR', 'JON', "O'DOWD"), account('MISS', 'JOAN', 'ALDEN')]],
      ['transunion', [account('Mr', 'J', "O'Dowd")]],
    ],
    null,
  ],
];
test.each(titles)('the person’s title where the caller gave none: %s', (_, files, title) => {
  const sources = files.map(([bureau, accounts]) => source(bureau, { accounts }));
  expect(mergeReport(request, sources, []).report.person.title).toBe(title);
  const turned = sources
    .toReversed()
    .map(({ bureau, file }) => source(bureau, { accounts: file.accounts.toReversed() }));
  expect(mergeReport(request, turned, []).report.person.title).toBe(title);
});

test('the person’s title is the caller’s where the caller gave one', () => {
  const files = [source('equifax', { accounts: [account('MRS', 'JOAN', "O'DOWD")] })];
  expect(mergeReport({ ...request, title: 'Prof' }, files, []).report.person.title).toBe('Prof');
});

test('a former address and a searcher are spelt as people write them where a bureau does, postcodes as ever', () => {
  const address = (thoroughfare: string, townOrCity: string, postcode: string): BureauAddress => ({
    ...{ subBuildingName: null, buildingName: null, buildingNumber: '3', thoroughfare, district: null, townOrCity },
    ...{ county: null, country: null, postcode, monthsAtAddress: 14, isCurrent: false },
  });
  const search = (companyName: string) => ({ companyName, companyNameLimit: 40, date: '2025-11-03' });
  const files = [
    source('equifax', {
      addresses: [address('HILL RISE', 'TARRAGEO', 'HS10 6QA')],
      searches: [search('ZELLANDER LOANS')],
    }),
    source('transunion', {
      addresses: [address('Hill Rise', 'Tarrageo', 'HS10 6QA')],
      searches: [search('Zellander Loans')],
    }),
  ];
  const { residencies, previousSearches } = mergeReport(request, files, []).report;
  expect(residencies[1]?.address.ukAddress).toMatchObject({
    thoroughfare: 'Hill Rise',
    townOrCity: 'Tarrageo',
    postcode: 'HS10 6QA',
  });
  expect(previousSearches.providers.map(({ companyName }) => companyName)).toEqual(['Zellander Loans']);
});
