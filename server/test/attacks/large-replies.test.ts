// Bureau replies near the size that is read at all, hostile or merely large: none of them keeps the event loop busy, and
// what they come to is the same as when they are read in place.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BureauLine, openLine } from '../../src/bureaus/call-bureau.ts';
import type { BureauAccount, BureauOutcome, SourcedFile } from '../../src/bureaus/port.ts';
import { createAdapter } from '../../src/bureaus/registry.ts';
import { writeReport } from '../../src/credit-reports/live/write-report.ts';
import type { KeptReport } from '../../src/credit-reports/provenance/keep-report.ts';
import { newSalts } from '../../src/credit-reports/provenance/report-files.ts';
import { type LargeFiles, openLargeFiles } from '../../src/large-files.ts';
import type { LenderRegistry } from '../../src/merge/matching/lender-registry.ts';
import { generateBody } from '../harness.ts';
import { bestWorstTickMs, worstTickMs } from '../support/ticks.ts';

const TICK_MS_MAX = 50;
const REPLY_BYTES = 4_900_000;

const lenders: LenderRegistry = Array.from({ length: 200 }, (_, number) => ({
  ...{ id: `lender-${number}`, trading: `Invented Lender ${number}`, legal: `Invented Lender ${number} Limited` },
  ...{ aliases: [], formerNames: [], group: null, companyType: 'bank' as const },
}));
let largeFiles: LargeFiles;
let line: BureauLine;
let reply: { contentType: string; body: Buffer };
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': reply.contentType, 'content-length': reply.body.byteLength });
  response.end(reply.body);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  line = openLine({ baseUrl, timeoutMs: 60_000, connections: 1 });
  largeFiles = openLargeFiles(lenders);
});
afterAll(async () => {
  await line.close();
  await largeFiles.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const { test: _, ...consumer } = generateBody();

const WIRES = {
  albion: { adapter: 'albion', credentials: { username: 'u', password: 'p' } },
  beacon: { adapter: 'beacon', credentials: { apiKey: 'k' } },
} as const;

function ask(wire: keyof typeof WIRES) {
  const adapter = createAdapter(line, WIRES[wire], largeFiles.read);
  return adapter.ask({ enquiryId: 'e', consumer }, AbortSignal.timeout(60_000));
}

const fill = (head: string, part: (number: number) => string, tail: string, separator = ''): Buffer => {
  const parts: string[] = [];
  let size = head.length + tail.length;
  for (let number = 0; size < REPLY_BYTES; number += 1) {
    const next = part(number);
    parts.push(next);
    size += next.length + separator.length;
  }
  return Buffer.from(head + parts.join(separator) + tail);
};

const ENVELOPE =
  '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/" xmlns:rpt="urn:albion:report:3"><env:Body>' +
  '<rpt:Enquiry enqId="e"><outcome code="OK"/><subject dob="1984-03-09"/><accts>';
const ENVELOPE_END = '</accts></rpt:Enquiry></env:Body></env:Envelope>';
const attributes = (count: number) => Array.from({ length: count }, (_, place) => `a${place}="1"`).join(' ');

const HOSTILE: Readonly<
  Record<string, { wire: keyof typeof WIRES; contentType: string; kind?: 'ok'; body: () => Buffer }>
> = {
  'elements of 39 attributes': {
    wire: 'albion',
    contentType: 'text/xml',
    body: () => fill(ENVELOPE, () => `<acct ${attributes(39)}/>`, ENVELOPE_END),
  },
  'processing instructions': {
    wire: 'albion',
    contentType: 'text/xml',
    body: () => fill(ENVELOPE, () => '<?a b?>', ENVELOPE_END),
  },
  'accounts with long names': {
    wire: 'albion',
    contentType: 'text/xml',
    kind: 'ok',
    body: () => fill(ENVELOPE, (number) => `<acct ref="r${number}" nm="${'x'.repeat(3_000)}"/>`, ENVELOPE_END),
  },
  'objects in objects': {
    wire: 'beacon',
    contentType: 'application/json',
    body: () => fill('{"hdr":{"rc":"0000","ref":"e"},"acc":[', () => '{"a":{"b":{"c":[]}}}', ']}', ','),
  },
  'strings full of escapes': {
    wire: 'beacon',
    contentType: 'application/json',
    body: () => fill('{"hdr":{"rc":"0000","ref":"e"},"acc":["', () => '\\u0041', '"]}'),
  },
};

describe('a reply of almost five megabytes', () => {
  for (const [name, { wire, contentType, kind = 'unavailable', body }] of Object.entries(HOSTILE)) {
    test(`${name}: no event-loop tick is busy for over ${TICK_MS_MAX} ms`, async () => {
      reply = { contentType, body: body() };
      let outcome: BureauOutcome | undefined;
      const tickMs = await bestWorstTickMs(async () => {
        outcome = await ask(wire);
      });
      expect(outcome).toMatchObject(kind === 'ok' ? { kind } : { kind, reason: 'unintelligible' });
      expect(tickMs).toBeLessThan(TICK_MS_MAX);
      const replySha256 = createHash('sha256').update(reply.body).digest('hex');
      if (kind === 'ok') expect(outcome).toMatchObject({ replySha256, answeredAt: expect.any(String) });
    }, 60_000);
  }
});

function account(bureau: string, number: number): BureauAccount {
  const lender = lenders[number % lenders.length];
  return {
    ...{ ref: `${bureau}-${number}`, accountType: 'credit-card', accountStatus: 'active', companyType: 'bank' },
    ...{ companyName: lender?.trading ?? 'Example', companyNameLimit: 40, otherCompanyNames: [] },
    ...{ title: null, firstName: null, lastName: null, accountNumberTail: String(1_000 + (number % 9_000)) },
    ...{ startDate: `20${10 + (number % 15)}-0${1 + (number % 9)}-15`, endDate: null, updatedDate: null },
    ...{ numberOfPayments: 48, repaymentPeriodMonths: 48, paymentPence: 10_000 + number, startBalancePence: 500_000 },
    ...{ balancePence: 250_000, balloonPence: null, moneyStepPence: 1, isJoint: null },
  } as unknown as BureauAccount;
}

test('three honest files of two thousand accounts each are merged off the event loop, into the same report', async () => {
  const files = (['equifax', 'experian', 'transunion'] as const).map((bureau): SourcedFile => {
    const accounts = Array.from({ length: 2_000 }, (_, number) => account(bureau, number));
    return { bureau, file: { accounts, addresses: [], searches: [] } };
  });
  const replies = files.map(({ bureau }) => ({
    ...{ bureau, outcome: 'ok' as const, accounts: 2_000, answeredAt: null, replySha256: null },
  }));
  const order = { request: consumer, files, replies, salts: newSalts() };
  let there: KeptReport | undefined;
  const tickMs = await bestWorstTickMs(async () => {
    there = await largeFiles.merge(order);
  });
  expect(tickMs).toBeLessThan(TICK_MS_MAX);
  // The control: in place the same work is a turn of its own, and the measure sees it.
  let here: KeptReport | undefined;
  const hereMs = await worstTickMs(async () => {
    here = writeReport(order, lenders);
  });
  expect(hereMs).toBeGreaterThan(TICK_MS_MAX);
  expect(there?.reportText === here?.reportText).toBe(true);
  expect(there?.digests).toEqual(here?.digests);
  expect(Buffer.compare(there?.packedProvenance ?? Buffer.of(), here?.packedProvenance ?? Buffer.of())).toBe(0);
}, 60_000);
