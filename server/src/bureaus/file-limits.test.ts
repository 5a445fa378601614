// Replies that are small on the wire and expensive to read: each is answered before other requests have to wait for it.
import { describe, expect, test } from 'vitest';
import { readReply as readAlbion } from './albion/reply.ts';
import { readReply as readBeacon } from './beacon/reply.ts';
import type { BureauReply } from './call-bureau.ts';
import { readReply as readCygnet } from './cygnet/reply.ts';

const ASKED = { enquiryId: 'e', dateOfBirth: '1984-03-09' };
/** Of this thread's own processor time: a busy machine makes no reply more expensive. */
const LIMIT_MS = 200;
const GROUPS = ['vehicleFinance', 'homeLoans', 'loans', 'banking', 'retail', 'household', 'other'];

type Section = 'accounts' | 'addresses' | 'searches' | 'elsewhere';
type Sections = Partial<Record<Section, string>>;

const WIRES = {
  albion: {
    read: readAlbion,
    contentType: 'text/xml',
    file: ({ accounts = '', addresses = '', searches = '', elsewhere = '' }: Sections) =>
      '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/" xmlns:rpt="urn:albion:report:3"><env:Body>' +
      `<rpt:Enquiry enqId="e"><outcome code="OK"/><subject dob="1984-03-09"/>${addresses}<accts>${accounts}</accts>` +
      `<foot>${searches}</foot>${elsewhere}</rpt:Enquiry></env:Body></env:Envelope>`,
    rows: (section: Section, count: number) =>
      ({ accounts: '<acct/>', addresses: '<prem/>', searches: '<srch/>', elsewhere: '<a/>' })[section].repeat(count),
  },
  beacon: {
    read: readBeacon,
    contentType: 'application/json',
    file: ({ accounts = '', addresses = '', searches = '', elsewhere = '' }: Sections) =>
      `{"hdr":{"rc":"0000","ref":"e"},"sub":{"dob":"09031984"},"loc":[${addresses}],"acc":[${accounts}],` +
      `"cap":[${searches}],"new":[${elsewhere}]}`,
    rows: (_: Section, count: number) => Array.from({ length: count }, () => '{}').join(),
  },
  cygnet: {
    read: readCygnet,
    contentType: 'application/json',
    file: ({ accounts = '', addresses = '', searches = '', elsewhere = '' }: Sections) =>
      '{"enquiry":{"reference":"e","status":"complete","subject":{"born":"1984-03-09"}},' +
      `"premises":{${addresses}},"credit":{${GROUPS.map((group) => `"${group}":[],`).join('')}"cards":[${accounts}]},` +
      `"lookups":[${searches}],"new":[${elsewhere}]}`,
    rows: (section: Section, count: number) =>
      Array.from({ length: count }, (_, row) => (section === 'addresses' ? `"p${row}":{"paf":{}}` : '{}')).join(),
  },
} as const;

function read(wire: keyof typeof WIRES, text: string) {
  const { read: readReply, contentType } = WIRES[wire];
  const reply: BureauReply = { status: 200, contentType, retryAfterSeconds: undefined, bytes: Buffer.from(text) };
  const before = process.threadCpuUsage();
  const outcome = readReply(reply, ASKED);
  const { user, system } = process.threadCpuUsage(before);
  return { outcome, timeMs: (user + system) / 1_000 };
}

/** Little time and few warnings, however many rows there are. */
function expectQuick(wire: keyof typeof WIRES, text: string): void {
  // The best of three runs: the first ones are slower until the code is compiled.
  const [{ outcome, timeMs } = read(wire, text)] = [1, 2, 3]
    .map(() => read(wire, text))
    .toSorted((one, other) => one.timeMs - other.timeMs);
  expect(timeMs).toBeLessThan(LIMIT_MS);
  if (outcome.kind === 'ok') expect(outcome.warnings.length).toBeLessThan(20);
  else expect(outcome).toMatchObject({ kind: 'unavailable', reason: 'unintelligible' });
}

const MAXIMA = { accounts: 2_000, addresses: 200, searches: 2_000 } as const;

for (const wire of Object.keys(WIRES) as (keyof typeof WIRES)[]) {
  const { file, rows } = WIRES[wire];
  describe(wire, () => {
    for (const [section, max] of Object.entries(MAXIMA) as [keyof typeof MAXIMA, number][]) {
      test(`${max} ${section} are read; one more is unintelligible`, () => {
        const { outcome } = read(wire, file({ [section]: rows(section, max) }));
        if (outcome.kind !== 'ok') throw new Error(outcome.kind);
        // Searches without a date are left out, and counted.
        const counts = outcome.warnings.map(({ count }) => count);
        if (section === 'searches') expect(counts).toContain(max);
        else expect(outcome.file[section]).toHaveLength(max);
        expect(outcome.warnings.length).toBeLessThan(20);
        const { outcome: more } = read(wire, file({ [section]: rows(section, max + 1) }));
        expect(more).toMatchObject({
          reason: 'unintelligible',
          cause: { message: `unintelligible: too many ${section}` },
        });
      });
    }

    for (const section of ['accounts', 'addresses', 'searches', 'elsewhere'] as const) {
      // The first stays below the limit on the parts of a reply; the second is a megabyte.
      for (const bytes of [570_000, 1_000_000]) {
        test(`${bytes} bytes of nothing in ${section}: read in ${LIMIT_MS} ms, with few warnings`, () => {
          const count = Math.floor(bytes / (rows(section, 100).length / 100));
          expectQuick(wire, file({ [section]: rows(section, count) }));
        });
      }
    }
  });
}

describe('a megabyte in one place', () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`).join();
  const attributes = Array.from({ length: 100_000 }, (_, index) => `k${index}=""`).join(' ');
  const nothings = Array.from({ length: 190_000 }, () => '{}').join();
  const rows: readonly (readonly [name: string, wire: keyof typeof WIRES, text: string])[] = [
    ['keys', 'beacon', WIRES.beacon.file({ accounts: `{${keys}}` })],
    ['keys', 'cygnet', WIRES.cygnet.file({ addresses: keys })],
    ['attributes', 'albion', WIRES.albion.file({ accounts: `<acct ${attributes}/>` })],
    ['balances of one account', 'beacon', WIRES.beacon.file({ accounts: `{"k":"B1","typ":"011","b":[${nothings}]}` })],
    ['stays at one address', 'cygnet', WIRES.cygnet.file({ addresses: `"p1":{"paf":{},"occupancy":[${nothings}]}` })],
  ];
  for (const [name, wire, text] of rows) test(`${wire}: ${name}`, () => expectQuick(wire, text));
});
