import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Provenance } from '../../merge/provenance.ts';
import { keepReport } from './keep-report.ts';
import { unpackProvenance } from './pack-provenance.ts';
import { newSalts, reportFiles } from './report-files.ts';

const SALTS = { report: 'a1'.repeat(16), provenance: 'b2'.repeat(16) };
const provenance: Provenance = {
  type: 'trefoil/provenance/1',
  salt: SALTS.provenance,
  searched: { firstName: 'Łukasz', lastName: 'O’Brien', dateOfBirth: '1984-03-09', addresses: [] },
  bureaus: [
    {
      bureau: 'equifax',
      outcome: 'no-trace',
      accounts: null,
      answeredAt: '2026-03-01T10:00:00.000Z',
      replySha256: 'c',
    },
  ],
  records: [
    {
      sources: [
        {
          bureau: 'experian',
          ref: 'B-1',
          accountType: 'hire-purchase',
          accountStatus: 'settled',
          companyType: 'finance-house',
          companyName: 'ŁARK “&”',
          otherCompanyNames: ['Łark "Cars"'],
          title: 'Mr',
          firstName: 'Łukasz',
          lastName: null,
          accountNumberTail: '123',
          startDate: '2021-05-01',
          endDate: '2024-05-01',
          updatedDate: '2024-06-30',
          numberOfPayments: 36,
          repaymentPeriodMonths: 36,
          paymentPence: 12_345,
          startBalancePence: 512_300,
          balancePence: 0,
          balloonPence: 200_000,
          moneyStepPence: 100,
          isJoint: false,
        },
      ],
      lender: { trading: 'Łark “&” 🌿', legal: '","provenance":{', formerNames: ['}'] },
    },
  ],
};
/** To the letter, as strangers read it. */
const TEXT_OF_PROVENANCE =
  `{"type":"trefoil/provenance/1","salt":"${SALTS.provenance}",` +
  '"searched":{"firstName":"Łukasz","lastName":"O’Brien","dateOfBirth":"1984-03-09","addresses":[]},' +
  '"bureaus":[{"bureau":"equifax","outcome":"no-trace","accounts":null,"answeredAt":"2026-03-01T10:00:00.000Z","replySha256":"c"}],' +
  '"fields":["bureau","ref","accountType","accountStatus","companyType","companyName","otherCompanyNames","title","firstName",' +
  '"lastName","accountNumberTail","startDate","endDate","updatedDate","numberOfPayments","repaymentPeriodMonths","paymentPence",' +
  '"startBalancePence","balancePence","balloonPence","moneyStepPence","isJoint"],' +
  '"records":[{"sources":[["experian","B-1","hire-purchase","settled","finance-house","ŁARK “&”",["Łark \\"Cars\\""],"Mr","Łukasz",null,' +
  '"123","2021-05-01","2024-05-01","2024-06-30",36,36,12345,512300,0,200000,100,false]],' +
  '"lender":{"trading":"Łark “&” 🌿","legal":"\\",\\"provenance\\":{","formerNames":["}"]}}]}';
const TEXT = '{"person":{"firstName":"Łukasz","lastName":"O’Brien"}}';
const sha256 = (text: string) => createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex');

test('what is kept opens again, to the letter, whatever it contains', () => {
  const kept = keepReport(TEXT, provenance, SALTS.report);
  expect(unpackProvenance(kept.packedProvenance)).toEqual({
    provenance,
    provenanceText: TEXT_OF_PROVENANCE,
    reportSalt: SALTS.report,
  });
});

test('the digests are those of the bytes of the two files', () => {
  const { digests } = keepReport(TEXT, provenance, SALTS.report);
  const report = `{"salt":"${SALTS.report}","report":${TEXT}}`;
  expect(digests).toEqual({ reportSha256: sha256(report), provenanceSha256: sha256(TEXT_OF_PROVENANCE) });
  const sources = { reportSalt: SALTS.report, reportText: TEXT, provenanceText: TEXT_OF_PROVENANCE };
  expect(reportFiles(sources)).toEqual({ report, provenance: TEXT_OF_PROVENANCE });
  expect(JSON.parse(report)).toEqual({ salt: SALTS.report, report: JSON.parse(TEXT) });
});

test('with another salt both digests differ, though the report is the same', () => {
  const [first, second] = [newSalts(), newSalts()].map(
    (salts) => keepReport(TEXT, { ...provenance, salt: salts.provenance }, salts.report).digests,
  );
  expect(first?.reportSha256).not.toBe(second?.reportSha256);
  expect(first?.provenanceSha256).not.toBe(second?.provenanceSha256);
});

test.each([
  ['no text at all', ''],
  ['another form', '{"provenance":{},"reportSalt":"00"}'],
  ['a salt that is none', `{"reportSalt":"${'x'.repeat(32)}","provenance":{}}`],
  ['a text cut short', `{"reportSalt":"${SALTS.report}","provenance":{"a`],
])('a stored provenance with %s is refused', (_name, text) => {
  expect(() => unpackProvenance(deflateRawSync(text))).toThrow();
});
