// Albion over real HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  albionEnvelope,
  askAlbion,
  enquiriesOf,
  type Person,
  person,
  postAlbion,
  postAlbionXml,
  type Simulators,
  startSimulators,
} from '../testing.ts';
import { childOf, element, readXml, type XmlNode } from '../xml.ts';

let sims: Simulators;
let who: Person;

beforeAll(async () => {
  sims = await startSimulators('--bureau', 'albion');
  who = await person(sims.albion, 'person-0001');
});
afterAll(() => sims.stop());

async function enquiryIn(response: Response): Promise<XmlNode> {
  const enquiry = childOf(childOf(readXml(await response.text()), 'Body'), 'Enquiry');
  if (!enquiry) throw new Error('no Enquiry');
  return enquiry;
}

const outcomeOf = (enquiry: XmlNode) => childOf(enquiry, 'outcome')?.attributes['code'];

async function faultIn(response: Response) {
  const fault = childOf(childOf(childOf(readXml(await response.text()), 'Body'), 'Fault'), 'flt');
  return { status: response.status, ...fault?.attributes };
}

test('200: a file in capitals, whole pounds, masked numbers, names of at most 26, history oldest first', async () => {
  const enquiryId = randomUUID();
  const response = await askAlbion(sims, who, { enquiryId });
  expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8');
  const enquiry = await enquiryIn(response);
  expect(enquiry.attributes).toMatchObject({ ver: '3', enqId: enquiryId });
  expect(outcomeOf(enquiry)).toBe('OK');
  expect(childOf(enquiry, 'subject')?.attributes['dob']).toBe(who.dateOfBirth);
  const accounts = childOf(enquiry, 'accts')?.children ?? [];
  expect(accounts.length).toBeGreaterThan(2);
  for (const { attributes, children } of accounts) {
    expect(attributes['ref']).toMatch(/^A-\d{5}-\d{3}$/);
    expect(attributes['ty']).toMatch(/^[A-Z]{2}$/);
    expect(attributes['orgName']).toMatch(/^[A-Z0-9 ()/&]{3,26}$/);
    expect(attributes['no'] ?? 'XXXXXX0000').toMatch(/^XXXXXX\d{4}$/);
    const amounts = children.flatMap((each) => ['amt', 'bal', 'last'].map((name) => each.attributes[name] ?? '0'));
    for (const amount of amounts) expect(amount).toMatch(/^-?\d+$/);
    const history = children.find(({ name }) => name === 'hist')?.attributes;
    if (history) expect(history['s']).toMatch(/^[0-6DSPVRNQU.]{1,72}$/);
  }
});

test('200: the same enquiry gets the byte-same reply', async () => {
  const enquiryId = randomUUID();
  const first = await (await askAlbion(sims, who, { enquiryId })).text();
  const second = await (await askAlbion(sims, who, { enquiryId })).text();
  expect(second).toBe(first);
  expect(await enquiriesOf(sims.albion, enquiryId)).toMatchObject([{ enquiries: 2, person: 'person-0001' }]);
});

test('200 NT: an unknown name, a wrong birth date and a foreign postcode are no traces', async () => {
  const strangers = [
    { ...who, lastName: 'Nobody' },
    { ...who, dateOfBirth: '1971-01-01' },
  ];
  for (const stranger of strangers) {
    const enquiry = await enquiryIn(await askAlbion(sims, stranger));
    expect(outcomeOf(enquiry)).toBe('NT');
    expect(enquiry.children).toHaveLength(1);
  }
  expect(outcomeOf(await enquiryIn(await askAlbion(sims, who, { postcodes: ['HR10 0AA'] })))).toBe('NT');
});

test('200 PL: the pick keeps the enquiry id and is no second enquiry', async () => {
  const enquiryId = randomUUID();
  const list = await enquiryIn(await askAlbion(sims, who, { enquiryId, simulate: 'pick-list' }));
  expect(outcomeOf(list)).toBe('PL');
  const picks = childOf(list, 'picks')?.children ?? [];
  expect(picks.length).toBeGreaterThan(1);
  const street = who.addresses[0]?.thoroughfare.toUpperCase() ?? '';
  const house = who.addresses[0]?.buildingNumber ?? who.addresses[0]?.buildingName?.toUpperCase() ?? '';
  const right = picks.find(
    ({ attributes }) => attributes['line']?.includes(`${house} ${street}`) || attributes['line']?.startsWith(house),
  );
  const pick = element('pick', { premKey: right?.attributes['premKey'] });
  const file = await enquiryIn(await postAlbion(sims, pick, { enquiryId }));
  expect(outcomeOf(file)).toBe('OK');
  expect(file.attributes['enqId']).toBe(enquiryId);
  expect(await enquiriesOf(sims.albion, enquiryId)).toMatchObject([
    { enquiries: 1, calls: [{ call: 'enquiry' }, { call: 'pick' }] },
  ]);
  expect(await faultIn(await postAlbion(sims, pick, { enquiryId }))).toMatchObject({ status: 500, code: '3021' });
});

test('200 PL without being told when no address names premises; a neighbour is NT, a key not offered 3022', async () => {
  const enquiryId = randomUUID();
  const bare = who.addresses.map((each) => ({
    ...each,
    subBuildingName: null,
    buildingName: null,
    buildingNumber: null,
  }));
  const list = await enquiryIn(await askAlbion(sims, { ...who, addresses: bare }, { enquiryId }));
  expect(outcomeOf(list)).toBe('PL');
  const unknown = element('pick', { premKey: '1' });
  expect(await faultIn(await postAlbion(sims, unknown, { enquiryId }))).toMatchObject({ code: '3022' });
  const outcomes: (string | undefined)[] = [];
  for (const { attributes } of childOf(list, 'picks')?.children ?? []) {
    const again = randomUUID();
    await (await askAlbion(sims, { ...who, addresses: bare }, { enquiryId: again })).text();
    const chosen = element('pick', { premKey: attributes['premKey'] });
    const response = await postAlbion(sims, chosen, { enquiryId: again });
    if (response.status === 200) outcomes.push(outcomeOf(await enquiryIn(response)));
  }
  expect(outcomes.filter((outcome) => outcome === 'OK')).toHaveLength(1);
});

test('500: a wrong password, a used nonce, a broken request and a missing value are faults of their own', async () => {
  const enquiryId = randomUUID();
  const { username } = sims.credentials.albion;
  const wrong = albionEnvelope({ username, password: 'wrong' }, '<subject/>', enquiryId);
  expect(await faultIn(await postAlbionXml(sims.albion, wrong))).toEqual({ status: 500, code: '3001', retry: '0' });
  const right = albionEnvelope(sims.credentials.albion, '<subject/>', enquiryId);
  expect(await faultIn(await postAlbionXml(sims.albion, right))).toMatchObject({ code: '3003' });
  expect(await faultIn(await postAlbionXml(sims.albion, right))).toMatchObject({ code: '3004' });
  expect(await faultIn(await postAlbionXml(sims.albion, '<a><b></a>'))).toMatchObject({ code: '3002' });
  expect(await faultIn(await postAlbionXml(sims.albion, '<!DOCTYPE a><a/>'))).toMatchObject({ code: '3002' });
  expect(await enquiriesOf(sims.albion, enquiryId)).toEqual([]);
});

test('500: throttling, maintenance and errors are faults', async () => {
  const rows = [
    ['throttle', { status: 500, code: '3012', retry: '1' }],
    ['maintenance', { status: 500, code: '3030', retry: '1' }],
    ['error', { status: 500, code: '3017', retry: '1' }],
    ['error=3099', { status: 500, code: '3099', retry: '0' }],
  ] as const;
  for (const [simulate, expected] of rows)
    expect(await faultIn(await askAlbion(sims, who, { simulate }))).toEqual(expected);
  expect((await askAlbion(sims, who, { simulate: 'error=502' })).status).toBe(502);
});

test('200: content behaviours keep the file well-formed', async () => {
  const rows = async (simulate: string) => {
    const accounts = childOf(await enquiryIn(await askAlbion(sims, who, { simulate })), 'accts')?.children ?? [];
    return accounts.map(({ attributes, children }) => ({ ...attributes, children }) as Record<string, unknown>);
  };
  const [plain, twice, same, unknown, bare] = await Promise.all(
    ['slow=0', 'duplicate-rows', 'duplicate-rows=same', 'unknown-codes', 'unmasked'].map(rows),
  );
  expect(twice?.length).toBe((plain?.length ?? 0) + 1);
  expect(twice?.[1]).toEqual({ ...plain?.[0], ref: expect.stringMatching(/-9\d\d$/) });
  expect(same?.[1]).toEqual(plain?.[0]);
  expect(unknown?.[0]).toMatchObject({ ty: 'ZQ', org: 'ZZ', grade: 'Z9' });
  expect(bare?.every(({ no }) => /^\d{8,}$/.test(String(no)))).toBe(true);
  expect((await rows('many=300')).length).toBe(300);
  const negative = await (await askAlbion(sims, who, { simulate: 'negative-money' })).text();
  expect(negative).toMatch(/<open dt="[^"]+" amt="-\d+"\/>/);
});

test('404 and 405 on other paths and methods', async () => {
  expect((await fetch(`${sims.albion}/nothing`)).status).toBe(404);
  expect((await fetch(`${sims.albion}/enquiry`)).status).toBe(405);
});
