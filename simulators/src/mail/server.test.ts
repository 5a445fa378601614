// The mail server over real sockets: accepted mail is in the inbox, mail that a rule refuses is not.
import { createConnection } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningMail, startMail } from './server.ts';

let mail: RunningMail;
beforeAll(async () => {
  mail = await startMail({ port: 0 });
});
beforeEach(async () => {
  for (const path of ['/inbox.json', '/control']) await fetch(`${mail.url}${path}`, { method: 'DELETE' });
});
afterAll(() => mail.close());

const MESSAGE = [
  'From: Trefoil <no-reply@example.com>',
  'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
  'Content-Type: multipart/alternative; boundary="x"',
  '',
  '--x',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'A =E2=82=AC and a long=',
  ' line',
  '--x',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('<p>€</p>').toString('base64'),
  '--x--',
].join('\r\n');

/** Runs one conversation and returns the response codes; a closed connection ends the list. */
function converse(to: string): Promise<string[]> {
  const { hostname, port } = new URL(mail.smtpUrl);
  const lines = ['EHLO test', 'MAIL FROM:<a@example.com>', `RCPT TO:<${to}>`, 'DATA', `${MESSAGE}\r\n.`, 'QUIT'];
  const codes: string[] = [];
  return new Promise((resolve) => {
    const socket = createConnection(Number(port), hostname);
    let rest = '';
    socket.on('data', (chunk) => {
      rest += chunk.toString();
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        // The last line of a response has a space after its code.
        if (line[3] !== ' ') continue;
        codes.push(line.slice(0, 3));
        const next = line.startsWith('4') || line.startsWith('5') ? 'QUIT' : lines.shift();
        if (next) socket.write(`${next}\r\n`);
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(codes));
  });
}

type Listed = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  id: string;
};
const list = async (to: string) =>
  ((await (await fetch(`${mail.url}/inbox.json?to=${to}`)).json()) as { mails: Listed[] }).mails;
const rule = (wish: object) => fetch(`${mail.url}/control`, { method: 'POST', body: JSON.stringify(wish) });

test('a mail that was taken can be read, by recipient, decoded and as it came', async () => {
  expect(await converse('Ada@example.com')).toEqual(['220', '250', '250', '250', '354', '250', '221']);
  const [received, ...others] = await list('ada@example.com');
  expect(others).toEqual([]);
  expect(received).toMatchObject({ subject: 'Grüße', text: 'A € and a long line', html: '<p>€</p>' });
  expect(await list('finn@example.com')).toEqual([]);
  const raw = await (await fetch(`${mail.url}/inbox/${received?.id}.eml`)).text();
  expect(raw).toContain('=E2=82=AC');
  const page = await (await fetch(`${mail.url}/inbox`)).text();
  expect(page).toContain('Grüße');
});

const refusals: [string, string[], number][] = [
  ['refuse', ['220', '250', '250', '550'], 0],
  ['refuse=553', ['220', '250', '250', '553'], 0],
  ['greylist', ['220', '250', '250', '451'], 0],
  ['spam', ['220', '250', '250', '250', '354', '554'], 0],
  ['drop', ['220', '250', '250'], 0],
  ['lost', ['220', '250', '250', '250', '354'], 1],
];
for (const [behaviour, codes, kept] of refusals) {
  test(`${behaviour}: as told, once, for this address alone`, async () => {
    expect((await rule({ match: { to: 'ada@example.com' }, behaviour, times: 1 })).status).toBe(201);
    expect((await converse('finn@example.com')).slice(-2)).toEqual(['250', '221']);
    const answered = await converse('ada@example.com');
    expect(answered.filter((code) => code !== '221')).toEqual(codes);
    expect(await list('ada@example.com')).toHaveLength(kept);
    expect((await converse('ada@example.com')).slice(-2)).toEqual(['250', '221']);
    const { attempts } = (await (await fetch(`${mail.url}/control/attempts`)).json()) as { attempts: object };
    expect(attempts).toEqual({ 'finn@example.com': 1, 'ada@example.com': 2 });
  });
}

test('a rule that makes no sense is refused with a sentence', async () => {
  for (const wish of [{}, { match: { any: true }, behaviour: 'fly' }, { match: {}, behaviour: 'drop' }]) {
    expect((await rule(wish)).status).toBe(400);
  }
});
