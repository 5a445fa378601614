// The probes against real listeners: one that is fit, one that is silent, one that is gone, one with another certificate.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { makeCertificate } from '../../test/support/certificates.ts';
import { createTurns } from '../lib/limits/turns.ts';
import { openReadOnly } from '../lib/postgres/read-only.ts';
import { rows, sql } from '../lib/postgres/sql.ts';
import { endsAfter, startClock, stopClock } from '../lib/testing/stopped-clock.ts';
import { greetMailServer } from '../mail/smtp.ts';
import { askReady, connectTo, lookUpInTurn, pingRedis } from './probes.ts';
import { codeOf } from './run-checks.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  startClock();
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Accepts and says nothing. */
const listenSilently = () => listen(createServer((socket) => void socket.resume()));
const listenSpeaking = (words: string) => listen(createServer((socket) => void socket.end(words)));
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Where nothing answers, and where something does: a busy machine must not turn the one into the other. */
const soon = () => AbortSignal.timeout(300);
const PATIENT_MS = 30_000;
const patient = () => AbortSignal.timeout(PATIENT_MS);
const faultOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    (error: unknown) => codeOf(error),
  );

describe('a connection that asks nothing', () => {
  test('plain and with TLS; a certificate is looked at and not refused, and no byte of a request arrives', async () => {
    let received = 0;
    const plain = await listen(createServer((socket) => void socket.on('data', ({ length }) => (received += length))));
    expect(await connectTo(`http://127.0.0.1:${plain}/v1`, patient())).toEqual({ kind: 'plain' });
    const port = await listen(
      createTlsServer(makeCertificate(30), (socket) => void socket.on('data', ({ length }) => (received += length))),
    );
    const line = await connectTo(`https://127.0.0.1:${port}`, patient());
    expect(line).toMatchObject({ kind: 'tls', fault: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const days = line.kind === 'tls' ? (line.validTo.getTime() - Date.now()) / 86_400_000 : 0;
    expect(Math.round(days)).toBe(30);
    expect(received).toBe(0);
  });

  test('an expired certificate is told with its date', async () => {
    const port = await listen(createTlsServer(makeCertificate(-1)));
    const line = await connectTo(`https://127.0.0.1:${port}`, patient());
    expect(line.kind === 'tls' && line.validTo.getTime()).toBeLessThan(Date.now());
  });

  test('names are looked up in turn, so that some that hang leave room for others; one given up is not looked up', async () => {
    const turns = createTurns(1);
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const limit = new AbortController();
    const connect = (name: string, signal: AbortSignal) =>
      faultOf(
        connectTo(
          `http://${name}`,
          signal,
          lookUpInTurn(turns, signal, (hostname, _options, callback) => {
            asked.push(hostname);
            answers.push(() => callback(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), []));
          }),
        ),
      );
    const first = connect('first.example.com', new AbortController().signal);
    const second = connect('second.example.com', limit.signal);
    const third = connect('third.example.com', new AbortController().signal);
    await eventually(() => expect(asked).toEqual(['first.example.com']));
    limit.abort();
    expect(await second).toBe('ETIMEDOUT');
    answers[0]?.();
    expect(await first).toBe('ENOTFOUND');
    await eventually(() => expect(asked).toEqual(['first.example.com', 'third.example.com']));
    answers[1]?.();
    expect(await third).toBe('ENOTFOUND');
  });

  test('silent, gone, not TLS: each ends with its own code', async () => {
    expect(await faultOf(connectTo(`https://127.0.0.1:${await listenSilently()}`, soon()))).toBe('ETIMEDOUT');
    expect(await faultOf(connectTo(`http://127.0.0.1:${await closedPort()}`, patient()))).toBe('ECONNREFUSED');
    const http = await listenSpeaking('HTTP/1.1 400 Bad Request\r\n\r\n');
    expect(await faultOf(connectTo(`https://127.0.0.1:${http}`, patient()))).toMatch(/^ERR_SSL|ECONNRESET/);
  });
});

describe('the base address', () => {
  const answering = (status: number, body: string, headers = {}) =>
    listen(createHttpServer((_request, response) => response.writeHead(status, headers).end(body)));

  test('a node is told from something else, and its clock is compared', async () => {
    const ready = await answering(200, '{"status":"ready"}');
    expect(await askReady(`http://127.0.0.1:${ready}`, patient())).toEqual({ status: 200, isOurs: true, aheadMs: 0 });
    const busy = await answering(503, '{"status":"not-ready"}');
    expect(await askReady(`http://127.0.0.1:${busy}`, patient())).toMatchObject({ status: 503, isOurs: true });
    const page = await answering(200, '<html>hello</html>');
    expect(await askReady(`http://127.0.0.1:${page}`, patient())).toMatchObject({ status: 200, isOurs: false });
    const moved = await answering(301, '', { location: 'https://example.com/' });
    expect(await askReady(`http://127.0.0.1:${moved}`, patient())).toMatchObject({ status: 301, isOurs: false });
    const late = await answering(200, '{"status":"ready"}', { date: new Date(Date.now() - 60_000).toUTCString() });
    const { aheadMs } = await askReady(`http://127.0.0.1:${late}`, patient());
    expect(aheadMs).toBeGreaterThan(58_000);
  });

  test('silent, gone, an expired certificate: each ends with its own code', async () => {
    expect(await faultOf(askReady(`http://127.0.0.1:${await listenSilently()}`, soon()))).toBe('ETIMEDOUT');
    expect(await faultOf(askReady(`http://127.0.0.1:${await closedPort()}`, patient()))).toBe('ECONNREFUSED');
    const port = await listen(createTlsServer(makeCertificate(-1)));
    expect(await faultOf(askReady(`https://127.0.0.1:${port}`, patient()))).toMatch(/CERT/);
  });
});

describe('Redis, mail and the database', () => {
  test('silent and gone: each ends, with its own code', async () => {
    const silent = await listenSilently();
    const gone = await closedPort();
    const mailAt = (port: number) => ({
      url: `smtp://127.0.0.1:${port}`,
      from: { name: '', address: 'x@example.com' },
    });
    const ask = async (port: number, limitMs: number) => {
      const url = `postgres://hush:hush@127.0.0.1:${port}/hush`;
      const database = openReadOnly({ appUrl: url, systemUrl: url }, limitMs);
      const fault = await faultOf(database.asSystem((tx) => rows(tx, sql`select 1`)));
      await database.close();
      return fault;
    };
    expect(await faultOf(pingRedis(`redis://127.0.0.1:${silent}`, 300))).toBe('ETIMEDOUT');
    expect(await faultOf(pingRedis(`redis://127.0.0.1:${gone}`, PATIENT_MS))).toBe('ECONNREFUSED');
    expect(await faultOf(greetMailServer(mailAt(silent), soon()))).toBe('ETIMEDOUT');
    expect(await faultOf(greetMailServer(mailAt(gone), patient()))).toMatch(/ECONN|ESOCKET/);
    expect(await ask(silent, 300)).toBe('ETIMEDOUT');
    expect(await ask(gone, PATIENT_MS)).toBe('ECONNREFUSED');
  });

  test('a mail server beyond this machine that offers no encryption is refused', async () => {
    const port = await listen(
      createServer((socket) => {
        socket.write('220 mail.example.com\r\n');
        socket.on(
          'data',
          (words) => void socket.write(/^STARTTLS/.test(String(words)) ? '502 no\r\n' : '250 mail\r\n'),
        );
      }),
    );
    const settings = { url: `smtp://0.0.0.0:${port}`, from: { name: '', address: 'x@example.com' } };
    expect(await faultOf(greetMailServer(settings, patient()))).toBe('ETLS');
  });

  const mailServer = (greetAfterMs: number, offers: string, heard: string[] = []) =>
    listen(
      createServer((socket) => {
        setTimeout(() => socket.write('220 mail.example.com\r\n'), greetAfterMs);
        socket.on('data', (words) => {
          heard.push(String(words).slice(0, 4));
          socket.write(/^EHLO/.test(String(words)) ? `250-mail\r\n250 ${offers}\r\n` : '235 fine\r\n');
        });
      }),
    );
  const greet = (url: string, limitMs = PATIENT_MS) =>
    greetMailServer({ url, from: { name: '', address: 'x@example.com' } }, AbortSignal.timeout(limitMs));

  test('a log-in counts only where one is set and the server asks for it', async () => {
    const heard: string[] = [];
    const asking = await mailServer(0, 'AUTH PLAIN', heard);
    expect(await greet(`smtp://user:hush@127.0.0.1:${asking}`)).toBe('logged-in');
    expect(heard).toContain('AUTH');
    expect(await greet(`smtp://127.0.0.1:${asking}`)).toBe('no-log-in');
    expect(await greet(`smtp://user:hush@127.0.0.1:${await mailServer(0, 'SIZE 9')}`)).toBe('not-offered');
  });

  test('a mail server that lets strangers wait is waited for, and one that was given up is left at once', async () => {
    const port = await mailServer(7_000, 'SIZE 9');
    const countOpen = () => [...sockets].filter((socket) => !socket.destroyed).length;
    const before = countOpen();
    stopClock();
    const waiting = greet(`smtp://127.0.0.1:${port}`, 15_000);
    const hasty = greet(`smtp://127.0.0.1:${port}`, 200);
    await eventually(() => expect(countOpen()).toBe(before + 2));
    expect(await endsAfter(200, faultOf(hasty))).toBe('ETIMEDOUT');
    await eventually(() => expect(countOpen()).toBe(before + 1));
    vi.advanceTimersByTime(6_800);
    expect(await waiting).toBe('no-log-in');
  });
});
