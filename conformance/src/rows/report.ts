// The creditReport itself: its full shape, and that it speaks of the consumer who was asked about.
import { dig, digList, equal, fits, holds, same } from '../expect.ts';
import { generate, startChallenge, submit } from '../journey.ts';
import { dataOf } from '../replies.ts';
import { creditReportShape } from '../report-shape.ts';
import type { Row } from '../row.ts';
import { addressEntry, branch, type Fields, RIGHT_CODE } from '../sample.ts';
import type { Api } from '../session.ts';
import { isObject } from '../shape.ts';

async function reportOf(api: Api, changes: Fields = {}): Promise<Record<string, unknown>> {
  const report = dataOf(await generate(api, { ...branch('allow'), ...changes }), 'complete')['creditReport'];
  holds(isObject(report), 'an object in data.creditReport', report);
  return report;
}

const emails = ['test001', 'test002', 'test003', 'test004', 'someone'].map((prefix) => `${prefix}@example.com`);
const pins = 'Interface, "creditReport"; decision 14';
const ownPins = 'Decisions, "Test mode"';

export const reportRows: readonly Row[] = [
  ...emails.map(
    (email): Row => ({
      id: `report/shape/${email.split('@')[0]}`,
      title: `${email}: every field of the report is present with its type`,
      pins,
      run: async ({ api }) => fits('creditReport', await reportOf(api, { email }), creditReportShape),
    }),
  ),
  {
    id: 'report/shape/after-challenge',
    title: 'a report delivered after a challenge has every field too',
    pins,
    run: async ({ api }) => {
      const data = dataOf(await submit(api, await startChallenge(api), RIGHT_CODE), 'complete');
      fits('creditReport', data['creditReport'], creditReportShape);
    },
  },
  {
    id: 'report/person',
    title: 'the person is the consumer of the request',
    pins: ownPins,
    run: async ({ api }) => {
      const asked = { title: 'Dr', firstName: 'Grace', lastName: 'Sample', dateOfBirth: '1979-12-01' };
      const { title, firstName, lastName, dateOfBirth } = (await reportOf(api, asked))['person'] as Fields;
      equal('person', { title, firstName, lastName, dateOfBirth }, asked);
    },
  },
  {
    id: 'report/person-after-challenge',
    title: 'after a challenge the person is still the consumer of the generate request',
    pins: ownPins,
    run: async ({ api }) => {
      const asked = { firstName: 'Katherine', lastName: 'Proof', dateOfBirth: '1958-08-26' };
      const data = dataOf(await submit(api, await startChallenge(api, asked), RIGHT_CODE), 'complete');
      for (const [name, value] of Object.entries(asked)) {
        equal(`person.${name}`, dig(data, `creditReport.person.${name}`), value);
      }
    },
  },
  {
    id: 'report/person-without-title',
    title: 'without a title in the request the title is null',
    pins: 'Decision 14',
    run: async ({ api }) => equal('person.title', dig(await reportOf(api, { title: undefined }), 'person.title'), null),
  },
  {
    id: 'report/names-round-trip',
    title: 'accented and punctuated names come back unchanged',
    pins: ownPins,
    run: async ({ api }) => {
      const asked = { firstName: 'Zoë Łucja', lastName: "O'Brien-Ní Dhúill" };
      const { firstName, lastName } = (await reportOf(api, asked))['person'] as Fields;
      equal('names', { firstName, lastName }, asked);
    },
  },
  {
    id: 'report/names-trimmed',
    title: 'white space around names is removed',
    pins: 'Decision 13',
    run: async ({ api }) => {
      const { firstName, lastName } = (await reportOf(api, { firstName: '  Ada ', lastName: '\tExample\n' }))[
        'person'
      ] as Fields;
      equal('names', { firstName, lastName }, { firstName: 'Ada', lastName: 'Example' });
    },
  },
  {
    id: 'report/residency',
    title: "the current residency carries the request's address; parts not given are null",
    pins: `${ownPins}; decision 14`,
    run: async ({ api }) => {
      const report = await reportOf(api, { addresses: [addressEntry({ district: 'Holbeck' })] });
      const residencies = digList(report, 'residencies');
      equal('number of residencies', residencies.length, 1);
      equal('residencies[0].isCurrent', dig(residencies, '0.isCurrent'), true);
      const expected = {
        ...{ subBuildingName: null, buildingName: null, buildingNumber: '14', thoroughfare: 'Mill Lane' },
        ...{ district: 'Holbeck', townOrCity: 'Leeds', county: null, country: null, postcode: 'LS1 4AB' },
      };
      for (const [name, value] of Object.entries(expected)) {
        equal(`ukAddress.${name}`, dig(residencies, `0.address.ukAddress.${name}`), value);
      }
      const line = String(dig(residencies, '0.address.addressLine1'));
      holds(line.includes('14') && line.includes('Mill Lane'), 'addressLine1 to hold the joined address', line);
      holds(digList(residencies, '0.address.lines').length > 0, 'at least one display line', []);
    },
  },
  {
    id: 'report/residencies',
    title: 'each address of the request is a residency of the report',
    pins: ownPins,
    run: async ({ api }) => {
      const towns = ['Leeds', 'York', 'Hull'];
      const addresses = towns.map((townOrCity, index) => ({
        ...addressEntry({ townOrCity, buildingNumber: String(index + 1) }),
        type: index === 0 ? 'current' : 'previous',
      }));
      const residencies = digList(await reportOf(api, { addresses }), 'residencies');
      const found = residencies.map((each) => String(dig(each, 'address.ukAddress.townOrCity')));
      equal('towns', found.toSorted(), towns.toSorted());
    },
  },
  ...['equifax', 'experian', 'transunion'].map(
    (bureau): Row => ({
      id: `report/bureaus/${bureau}`,
      title: `asked of ${bureau} alone, every record names ${bureau} and no other`,
      pins: ownPins,
      run: async ({ api }) => {
        const records = digList(await reportOf(api, { bureaus: [bureau] }), 'consumerData.records');
        equal('number of records', records.length, 4);
        for (const record of records) {
          const ids = digList(record, 'bureaus').map((each) => dig(each, 'id'));
          equal('bureaus of a record', ids, [bureau]);
        }
      },
    }),
  ),
  {
    id: 'report/bureaus/two',
    title: 'asked of two bureaus, no record names the third, and every record names at least one',
    pins: ownPins,
    run: async ({ api }) => {
      const asked = ['transunion', 'equifax'];
      for (const record of digList(await reportOf(api, { bureaus: asked }), 'consumerData.records')) {
        const ids = digList(record, 'bureaus').map((each) => String(dig(each, 'id')));
        holds(ids.length > 0 && ids.every((each) => asked.includes(each)), `bureaus among ${asked.join(', ')}`, ids);
      }
    },
  },
  {
    id: 'report/repeatable',
    title: 'the same request gives the same report',
    pins: ownPins,
    run: async ({ api }) => same('creditReport', await reportOf(api), await reportOf(api)),
  },
];
