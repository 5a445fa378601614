// Rules of the address entry: the premises rule and postcodes. Interface, "Address entry"; decision 13.
import { dig, equal, holds, same } from '../expect.ts';
import { generate } from '../journey.ts';
import { dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { addressEntry, type Fields, ukAddress } from '../sample.ts';
import type { Api, Reply } from '../session.ts';

const at = (api: Api, changes: Fields): Promise<Reply> => generate(api, { addresses: [addressEntry(changes)] });

const NO_PREMISES = { subBuildingName: undefined, buildingName: undefined, buildingNumber: undefined };
const premisesPins = 'Interface, "Address entry", rule';
const pins = 'Decision 13';

// As sent, as it must come back.
const goodPostcodes: readonly (readonly [string, string, string])[] = [
  ['upper', 'SW1A 1AA', 'SW1A 1AA'],
  ['lower', 'sw1a 1aa', 'SW1A 1AA'],
  ['no-space', 'SW1A1AA', 'SW1A 1AA'],
  ['spread', '  ec1a   1bb ', 'EC1A 1BB'],
  ['a9', 'm1 1ae', 'M1 1AE'],
  ['a99', 'B33 8TH', 'B33 8TH'],
  ['aa9', 'CR2 6XH', 'CR2 6XH'],
  ['aa99', 'DN55 1PT', 'DN55 1PT'],
  ['a9a', 'W1A 1HQ', 'W1A 1HQ'],
  ['northern-ireland', 'BT1 5GS', 'BT1 5GS'],
  ['jersey', 'JE2 3AB', 'JE2 3AB'],
  ['guernsey', 'gy1 1aa', 'GY1 1AA'],
  ['isle-of-man', 'IM1 1AE', 'IM1 1AE'],
  ['bfpo', 'bf1 3aa', 'BF1 3AA'],
];

const badPostcodes: readonly (readonly [string, string])[] = [
  ['digits', '12345'],
  ['outward-only', 'SW1A'],
  ['first-letter', 'QS1 1AA'],
  ['second-letter', 'AI1 1AA'],
  ['inward-first-letter', 'SW1A 1CA'],
  ['inward-second-letter', 'SW1A 1AM'],
  ['too-long', 'SW1A 11AA'],
  ['foreign', '75008 Paris'],
  ['empty', ''],
];

const badParts: readonly (readonly [string, Fields, string])[] = [
  ['town-missing', { townOrCity: undefined }, 'townOrCity'],
  ['town-blank', { townOrCity: '  ' }, 'townOrCity'],
  ['postcode-missing', { postcode: undefined }, 'postcode'],
  ['street-over-100', { thoroughfare: 'a'.repeat(101) }, 'thoroughfare'],
  ['number-not-text', { buildingNumber: 14 }, 'buildingNumber'],
  ['county-blank', { county: ' ' }, 'county'],
];

export const addressRows: readonly Row[] = [
  {
    id: 'address/premises-none',
    title: 'no sub-building, building name or number: 400 that names the ukAddress',
    pins: premisesPins,
    run: async ({ api }) => {
      const reply = await at(api, NO_PREMISES);
      const body = refused(reply, 400, 'validation-error');
      const paths = Array.isArray(body['details']) ? body['details'].map((detail) => dig(detail, 'path')) : [];
      holds(paths.includes('/addresses/0/ukAddress'), 'details to name /addresses/0/ukAddress', body['details']);
    },
  },
  {
    id: 'address/premises-second-entry',
    title: 'the premises rule holds for every address, not for the first alone',
    pins: premisesPins,
    run: async ({ api }) => {
      const reply = await generate(api, { addresses: [addressEntry(), addressEntry(NO_PREMISES)] });
      invalid(reply, '/addresses/1/ukAddress');
    },
  },
  {
    id: 'address/premises-blank',
    title: 'a blank building name is no premises',
    pins: `${premisesPins}; decision 13`,
    run: async ({ api }) => invalid(await at(api, { ...NO_PREMISES, buildingName: '  ' }), '/addresses/0/ukAddress'),
  },
  ...['subBuildingName', 'buildingName', 'buildingNumber'].map(
    (field): Row => ({
      id: `address/premises/${field}`,
      title: `${field} alone is enough, and comes back in the report`,
      pins: premisesPins,
      run: async ({ api }) => {
        const data = dataOf(await at(api, { ...NO_PREMISES, [field]: '7b' }), 'complete');
        equal(field, dig(data, `creditReport.residencies.0.address.ukAddress.${field}`), '7b');
      },
    }),
  ),
  ...goodPostcodes.map(
    ([name, sent, normalised]): Row => ({
      id: `address/postcode/${name}`,
      title: `postcode ${JSON.stringify(sent)} is accepted and comes back as ${normalised}`,
      pins,
      run: async ({ api }) => {
        const data = dataOf(await at(api, { postcode: sent }), 'complete');
        equal('postcode', dig(data, 'creditReport.residencies.0.address.ukAddress.postcode'), normalised);
      },
    }),
  ),
  ...badPostcodes.map(
    ([name, sent]): Row => ({
      id: `address/postcode-refused/${name}`,
      title: `postcode ${JSON.stringify(sent)} is refused`,
      pins,
      run: async ({ api }) => invalid(await at(api, { postcode: sent }), '/addresses/0/ukAddress/postcode'),
    }),
  ),
  ...badParts.map(
    ([name, changes, field]): Row => ({
      id: `address/refused/${name}`,
      title: `${name.replaceAll('-', ' ')}: 400 that names ${field}`,
      pins: `Interface, "Address entry"; ${pins.toLowerCase()}`,
      run: async ({ api }) => invalid(await at(api, changes), `/addresses/0/ukAddress/${field}`),
    }),
  ),
  {
    id: 'address/refused/kind-missing',
    title: 'an entry without its type is refused',
    pins,
    run: async ({ api }) =>
      invalid(await generate(api, { addresses: [{ ukAddress: ukAddress() }] }), '/addresses/0/type'),
  },
  {
    id: 'address/refused/uk-address-missing',
    title: 'an entry without its ukAddress is refused',
    pins,
    run: async ({ api }) =>
      invalid(await generate(api, { addresses: [{ type: 'current' }] }), '/addresses/0/ukAddress'),
  },
  ...[null, ''].map(
    (blank): Row => ({
      id: `address/premises-${blank === null ? 'null' : 'empty'}`,
      title: `premises that are all ${JSON.stringify(blank)} are absent: 400 that names the ukAddress`,
      pins: `${premisesPins}; decision 13`,
      run: async ({ api }) => {
        const nothing = Object.fromEntries(Object.keys(NO_PREMISES).map((field) => [field, blank]));
        invalid(await at(api, nothing), '/addresses/0/ukAddress');
      },
    }),
  ),
  {
    id: 'address/own-accepted-back',
    title: "a report's ukAddress, its nulls included, is accepted as a request's and comes back the same",
    pins,
    run: async ({ api }) => {
      const path = 'creditReport.residencies.0.address.ukAddress';
      const own = dig(dataOf(await at(api, {}), 'complete'), path);
      holds(Object.values(own as Fields).includes(null), 'a field that is null', own);
      const again = await generate(api, { addresses: [{ type: 'current', ukAddress: own }] });
      same('ukAddress', dig(dataOf(again, 'complete'), path), own);
    },
  },
  {
    id: 'address/refused/zero-width',
    title: 'a street with a zero-width character is refused',
    pins,
    run: async ({ api }) =>
      invalid(await at(api, { thoroughfare: 'Mill\u200b Lane' }), '/addresses/0/ukAddress/thoroughfare'),
  },
  {
    id: 'address/country-free',
    title: 'country is free text and comes back as sent',
    pins,
    run: async ({ api }) => {
      const data = dataOf(await at(api, { country: 'Wales' }), 'complete');
      equal('country', dig(data, 'creditReport.residencies.0.address.ukAddress.country'), 'Wales');
    },
  },
];
