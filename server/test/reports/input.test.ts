// Input as people and forms send it (docs/decisions/0164-input-as-people-send-it.md): blanks, nulls, punctuated telephone
// numbers, names that nobody can see. What is refused is refused before anything is charged.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { generateBody } from '../harness.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { send } from '../support/wire.ts';

let server: LiveServer;
let authorization: string;
beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, 1_000_000);
  authorization = `Bearer ${await server.trefoil.getToken()}`;
});
afterAll(() => server.close());

type Answer = {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: {
    readonly code?: string;
    readonly details?: readonly { readonly path: string; readonly message: string }[];
    readonly data?: {
      readonly status: string;
      readonly creditReportId: string;
      readonly creditReport?: {
        readonly residencies: readonly { readonly address: { readonly ukAddress: Record<string, unknown> } }[];
      };
    };
  };
};

async function post(body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const reply = await send(server.baseUrl, {
    method: 'POST',
    path: `/${server.demo.tenantId}/v1/credit-reports`,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const replayed = reply.headers['idempotent-replayed'] === 'true';
  return { status: reply.status, replayed, body: JSON.parse(reply.text) };
}

const OPTIONAL = ['title', 'middleName', 'gender', 'mobileNumber', 'email', 'externalReference'];
const OPTIONAL_OF_ADDRESS = [
  'subBuildingName',
  'buildingName',
  'buildingNumber',
  'thoroughfare',
  'district',
  'county',
  'country',
];
const PREMISES = ['subBuildingName', 'buildingName', 'buildingNumber'];
const all = (names: readonly string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
const REQUIRED = [
  'sessionId',
  'bureaus',
  'ipAddress',
  'searchType',
  'firstName',
  'lastName',
  'dateOfBirth',
  'addresses',
];

function withAddress(changes: object, base: object = generateBody()): object {
  const { addresses } = generateBody();
  return { ...base, addresses: [{ ...addresses[0], ukAddress: { ...addresses[0]?.ukAddress, ...changes } }] };
}

describe('optional fields', () => {
  for (const [name, blank] of [
    ['null', null],
    ['an empty text', ''],
  ] as const) {
    test(`200: ${name} means absent, in the request and in its address`, async () => {
      const others = OPTIONAL_OF_ADDRESS.filter((field) => field !== 'buildingNumber');
      const { status, body } = await post({ ...withAddress(all(others, blank)), ...all(OPTIONAL, blank) });
      expect(status, JSON.stringify(body)).toBe(200);
      const { district, county } = body.data?.creditReport?.residencies[0]?.address.ukAddress ?? {};
      expect([district, county]).toEqual([null, null]);
      const kept = await server.query('select external_reference_hash as hash from credit_reports where id = $1', [
        body.data?.creditReportId,
      ]);
      expect(kept).toEqual([{ hash: null }]);
    });

    test(`400: an address whose premises are all ${name} has none`, async () => {
      const { status, body } = await post(withAddress(all(PREMISES, blank)));
      expect(status).toBe(400);
      expect(body.details?.map(({ path }) => path)).toEqual(['/addresses/0/ukAddress']);
    });

    test(`400: a required field that is ${name} stays refused`, async () => {
      for (const field of REQUIRED) {
        const { status, body } = await post({ ...generateBody(), [field]: blank });
        expect([field, status, body.details?.[0]?.path]).toEqual([field, 400, `/${field}`]);
      }
      for (const field of ['townOrCity', 'postcode']) {
        const { status, body } = await post(withAddress({ [field]: blank }));
        expect([field, status, body.details?.[0]?.path]).toEqual([field, 400, `/addresses/0/ukAddress/${field}`]);
      }
    });

    test(`400: test or challengeOptions as ${name} never becomes a live charge`, async () => {
      const before = await server.wallet(server.demo.tenantId);
      const live = liveBody(server.mintSession());
      for (const field of ['test', 'challengeOptions']) {
        const { status, body } = await post({ ...live, [field]: blank });
        expect([field, status]).toEqual([field, 400]);
        expect(body.details?.map(({ path }) => path)).toContain(`/${field}`);
      }
      const { status } = await post({ ...generateBody(), challengeOptions: { status: blank } });
      expect(status).toBe(400);
      expect(await server.wallet(server.demo.tenantId)).toEqual(before);
    });
  }

  test("200: a report's own ukAddress, nulls and all, is accepted back", async () => {
    const first = await post(generateBody());
    const ukAddress = first.body.data?.creditReport?.residencies[0]?.address.ukAddress;
    expect(Object.values(ukAddress ?? {})).toContain(null);
    const { status, body } = await post({ ...generateBody(), addresses: [{ type: 'current', ukAddress }] });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data?.creditReport?.residencies[0]?.address.ukAddress).toEqual(ukAddress);
  });

  test('400: a text of spaces is not blank, and a list, an object or a number is no optional text', async () => {
    for (const value of [' ', [], {}, 0, false]) {
      const { status, body } = await post({ ...generateBody(), title: value });
      expect([value, status, body.details?.[0]?.path]).toEqual([value, 400, '/title']);
    }
  });
});

describe('the idempotency fingerprint is of the body as received', () => {
  const rows: [name: string, first: object, other: object][] = [
    ['null and absent', { title: null }, {}],
    ['an empty text and null', { title: '' }, { title: null }],
    ['two spellings of a number', { mobileNumber: '+44 7700 900123' }, { mobileNumber: '+447700900123' }],
    ['a space before a name', { firstName: ' Ada' }, { firstName: 'Ada' }],
  ];
  for (const [name, first, other] of rows) {
    test(`422 idempotency-key-reused: ${name} are two requests; the same one replays`, async () => {
      const key = { 'idempotency-key': newId() };
      const answer = await post({ ...generateBody(), ...first }, key);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(await post({ ...generateBody(), ...other }, key)).toMatchObject({ status: 422 });
      const again = await post({ ...generateBody(), ...first }, key);
      expect(again).toMatchObject({ status: 200, replayed: true, body: { data: answer.body.data } });
    });
  }
});

describe('names', () => {
  const UNSEEN = ['\u0000', '\u0007', '\u001b', '\u0085', '\u200b', '\u200d', '\u2060', '\u202e', '\u00ad', '\u3164'];
  const NAMES = ['firstName', 'middleName', 'lastName'];

  test('400: a name without a letter is refused, and nobody is charged for it', async () => {
    const before = await server.wallet(server.demo.tenantId);
    for (const field of NAMES) {
      for (const name of ['-', '.', '42', '?!', '👍']) {
        const { status, body } = await post(liveBody(server.mintSession(), { [field]: name }));
        expect([field, name, status, body.details?.[0]?.path]).toEqual([field, name, 400, `/${field}`]);
      }
    }
    expect(await server.wallet(server.demo.tenantId)).toEqual(before);
  });

  test('400: control and zero-width characters are refused in names and in addresses', async () => {
    const before = await server.wallet(server.demo.tenantId);
    for (const character of UNSEEN) {
      for (const field of [...NAMES, 'title']) {
        const { status, body } = await post(liveBody(server.mintSession(), { [field]: `A${character}da` }));
        const seen = [field, character.codePointAt(0), status, body.details?.[0]?.path];
        expect(seen).toEqual([field, character.codePointAt(0), 400, `/${field}`]);
      }
      const { status, body } = await post(withAddress({ thoroughfare: `Mill${character}Lane` }, liveBody('s')));
      expect([status, body.details?.[0]?.path]).toEqual([400, '/addresses/0/ukAddress/thoroughfare']);
    }
    expect(await server.wallet(server.demo.tenantId)).toEqual(before);
  });

  test('200: names as people have them', async () => {
    for (const lastName of [
      "O'Neill",
      'Smith-Jones',
      'van der Berg',
      'Ó Súilleabháin',
      'Łukasz',
      '李',
      'محمد',
      ' Lee ',
    ]) {
      expect([lastName, (await post({ ...generateBody(), lastName })).status]).toEqual([lastName, 200]);
    }
  });
});

// Last: messages are charged when their receipts come, and others compare wallets.
describe('telephone numbers', () => {
  test('200: the punctuation people write is taken off, and the message goes to the number', async () => {
    const spellings = ['+44 (0)7700 900-031', '+44.7700.900032', '+44 (7700) 900 033', '+44\u00a07700\u2011900034'];
    for (const [place, mobileNumber] of spellings.entries()) {
      const to = `+44770090003${place + 1}`;
      const changes = { email: 'challenge@example.com', mobileNumber };
      const { status, body } = await post(liveBody(server.mintSession(), changes));
      expect([mobileNumber, status, body.data?.status]).toEqual([mobileNumber, 200, 'authentication-required']);
      expect(await server.code(to)).toMatch(/^\d{6}$/);
    }
  });

  test('400: without a leading plus nothing is guessed', async () => {
    for (const mobileNumber of ['07700 900123', '(+44) 7700 900123', '0044 7700 900123', '44 7700 900123']) {
      const { status, body } = await post({ ...generateBody(), mobileNumber });
      expect([mobileNumber, status, body.details?.[0]?.path]).toEqual([mobileNumber, 400, '/mobileNumber']);
    }
  });
});
