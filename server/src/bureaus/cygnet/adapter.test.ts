// What no simulator can do: tokens that expire early, files of other people, ids that are paths.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { BureauCall, BureauLine, BureauReply } from '../call-bureau.ts';
import type { Enquiry } from '../port.ts';
import { readHere } from '../read-reply.ts';
import { createCygnet } from './adapter.ts';

const ENQUIRY: Enquiry = {
  enquiryId: 'enquiry-1',
  consumer: {
    firstName: 'Jon',
    lastName: 'Alden',
    dateOfBirth: '1984-03-09',
    searchType: 'pcp',
    addresses: [{ type: 'current', ukAddress: { buildingNumber: '14', townOrCity: 'Ludforth', postcode: 'HR10 2AB' } }],
  },
};
const GROUPS = ['vehicleFinance', 'cards', 'homeLoans', 'loans', 'banking', 'retail', 'household', 'other'];

function file(enquiry: object = {}): object {
  return {
    enquiry: { id: 'cyg_1', reference: 'enquiry-1', status: 'complete', subject: { born: '1984-03-09' }, ...enquiry },
    premises: {},
    credit: Object.fromEntries(GROUPS.map((group) => [group, []])),
    lookups: [],
  };
}

function reply(status: number, body: object, contentType = 'application/json'): BureauReply {
  return { status, contentType, retryAfterSeconds: 0, bytes: Buffer.from(JSON.stringify(body)) };
}

const token = (value: string, seconds = 600) =>
  reply(200, { access_token: value, token_type: 'Bearer', expires_in: seconds });
const unauthenticated = reply(
  401,
  { type: 'https://cygnet.example/problems/unauthenticated' },
  'application/problem+json',
);

/** Answers in the given order, and records the calls. */
function lineOf(...replies: BureauReply[]): BureauLine & { readonly calls: BureauCall[] } {
  const calls: BureauCall[] = [];
  return {
    calls,
    call: (call) => {
      calls.push(call);
      const next = replies.shift();
      return next ? Promise.resolve(next) : Promise.reject(new Error('nothing more to say'));
    },
    close: () => Promise.resolve(),
  };
}

/** Every answer is there at once, and so no call needs a deadline. */
const UNHURRIED = new AbortController().signal;

const ask = (line: BureauLine) =>
  createCygnet(line, { clientId: 'a', clientSecret: 'b' }, readHere).ask(ENQUIRY, UNHURRIED);
const reasonOf = async (line: BureauLine) => {
  const outcome = await ask(line);
  return outcome.kind === 'unavailable' ? outcome.reason : outcome.kind;
};

describe('Cygnet', () => {
  test('an empty file is a file', async () => {
    const answer = reply(200, file());
    expect(await ask(lineOf(token('t1'), answer))).toEqual({
      kind: 'ok',
      file: { accounts: [], addresses: [], searches: [] },
      warnings: [],
      replySha256: createHash('sha256').update(answer.bytes).digest('hex'),
      answeredAt: expect.any(String),
    });
  });

  test('a refused token is renewed once: the bureau vouches that no enquiry was made', async () => {
    const line = lineOf(token('t1'), unauthenticated, token('t2'), reply(200, file()));
    expect(await reasonOf(line)).toBe('ok');
    expect(line.calls.map(({ headers }) => headers['authorization'])).toEqual([
      expect.stringMatching(/^Basic /),
      'Bearer t1',
      expect.stringMatching(/^Basic /),
      'Bearer t2',
    ]);
    expect(await reasonOf(lineOf(token('t1'), unauthenticated, token('t2'), unauthenticated))).toBe('refused');
  });

  test('any other refusal is not sent again', async () => {
    const line = lineOf(token('t1'), reply(503, { type: 'x/unavailable' }, 'application/problem+json'));
    expect(await reasonOf(line)).toBe('refused');
    expect(line.calls).toHaveLength(2);
  });

  test('a token near its end is renewed before the next enquiry', async () => {
    const line = lineOf(token('t1', 0), reply(200, file()), token('t2'), reply(200, file()), reply(200, file()));
    const adapter = createCygnet(line, { clientId: 'a', clientSecret: 'b' }, readHere);
    for (let count = 0; count < 3; count++) await adapter.ask(ENQUIRY, UNHURRIED);
    expect(line.calls.map(({ path }) => path)).toEqual([
      '/oauth/token',
      '/enquiries',
      '/oauth/token',
      '/enquiries',
      '/enquiries',
    ]);
  });

  test('enquiries at the same time share one token', async () => {
    const line = lineOf(token('t1'), ...Array.from({ length: 5 }, () => reply(200, file())));
    const adapter = createCygnet(line, { clientId: 'a', clientSecret: 'b' }, readHere);
    await Promise.all(Array.from({ length: 5 }, () => adapter.ask(ENQUIRY, UNHURRIED)));
    expect(line.calls.filter(({ path }) => path === '/oauth/token')).toHaveLength(1);
  });

  const bad: readonly (readonly [string, BureauReply[]])[] = [
    ['a token that would break out of its header', [token('t1\r\nx-evil: 1')]],
    ['the answer to another enquiry', [token('t1'), reply(200, file({ reference: 'enquiry-2' }))]],
    ['the file of another person', [token('t1'), reply(200, file({ subject: { born: '1990-01-01' } }))]],
    ['a file that is still pending', [token('t1'), reply(200, file({ status: 'pending' }))]],
    ['an id that is a path', [token('t1'), reply(202, file({ id: 'cyg_1/../../admin', status: 'pending' }))]],
    ['a group that is gone', [token('t1'), reply(200, { ...file(), credit: { cards: [] } })]],
    ['accounts elsewhere, as many as rows of an unknown form', [token('t1'), reply(200, masked())]],
    ['an account that is a text', [token('t1'), reply(200, { ...file(), credit: { ...creditOf(), cards: ['x'] } })]],
  ];
  for (const [name, replies] of bad) {
    test(`${name} is unintelligible`, async () => expect(await reasonOf(lineOf(...replies))).toBe('unintelligible'));
  }

  test('polls go to our own path, under the same enquiry', async () => {
    const pending = reply(202, file({ status: 'pending' }));
    const line = lineOf(token('t1'), pending, pending, reply(200, file()));
    expect(await reasonOf(line)).toBe('ok');
    expect(line.calls.slice(2)).toMatchObject([
      { method: 'GET', path: '/enquiries/cyg_1' },
      { method: 'GET', path: '/enquiries/cyg_1' },
    ]);
  });
});

/** Two rows that do not look like accounts must not hide two accounts in another place. */
function masked(): object {
  const accounts = [1, 2].map((number) => ({ handle: `c-${number}`, product: 'CREDIT_CARD' }));
  return { ...file(), credit: { ...creditOf(), cards: [{ handle: 'c-3' }, { handle: 'c-4' }] }, agreements: accounts };
}

function creditOf(): object {
  return (file() as { credit: object }).credit;
}
