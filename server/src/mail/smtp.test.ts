// How the adapter talks to servers that are on other machines, or down: never without encryption, and never for ever.

import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSmtpSender } from './smtp.ts';

const ANSWERS: Readonly<Record<string, string>> = {
  AUTH: '535 5.7.8 no\r\n',
  EHLO: '250-hello\r\n250 AUTH PLAIN\r\n',
  STAR: '502 5.5.1 no\r\n',
};

/** Greets, offers no encryption, and records what it receives. */
let server: Server;
let heard = '';
let port: number;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.write('220 mail.example.com\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk.toString();
      const word = chunk.toString().slice(0, 4).toUpperCase();
      socket.write(ANSWERS[word] ?? '250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const from = { name: 'Trefoil', address: 'no-reply@example.com' };
const mail = { id: 'x', to: 'ada@example.com', subject: 's', text: 't', html: '<p>t</p>' };

async function sendTo(url: string) {
  const sender = createSmtpSender({ url, from });
  try {
    return await sender.send(mail);
  } finally {
    sender.close();
  }
}

test('a server elsewhere that offers no STARTTLS gets neither mail nor password', async () => {
  heard = '';
  // A name of this machine that does not look like one: the adapter must treat it as another machine.
  const outcome = await sendTo(`smtp://user:secret@[::ffff:127.0.0.1]:${port}`);
  expect(outcome).toMatchObject({ kind: 'refused', isFinal: false, reason: expect.stringContaining('ETLS') });
  expect(heard).not.toMatch(/MAIL FROM|AUTH/i);
});

test('a refused log-in is our fault and no reason to give the mail up', async () => {
  expect(await sendTo(`smtp://user:secret@127.0.0.1:${port}`)).toEqual({
    kind: 'refused',
    isFinal: false,
    reason: 'EAUTH-535',
  });
});

test('nobody there: put off', async () => {
  expect(await sendTo('smtp://127.0.0.1:1')).toMatchObject({ kind: 'refused', isFinal: false });
});
