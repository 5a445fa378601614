// Webhooks over TLS as it is: names, authorities, ends and versions, each against a server that would take the message, and
// connections that are used again. Nothing is sent to a server whose certificate is not good for the name of the URL.
import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGuardedLine } from '../../src/lib/outside/guarded-line.ts';
import { type Certificate, issue, makeAuthority } from '../support/certificates.ts';
import { startDns, type TestDns } from '../support/dns.ts';

const ADDRESS = '127.0.0.2';
const NAMES = ['hooks.example.com', 'other.example.com', 'deep.hooks.example.com'] as const;
const [NAME, OTHER] = NAMES;

const line = openGuardedLine({ allowedNetworks: [`${ADDRESS}/32`] });
const authority = makeAuthority();
const trusted = tls.getCACertificates('default');
let dns: TestDns;
beforeAll(async () => {
  tls.setDefaultCACertificates([...trusted, authority.cert.toString()]);
  dns = await startDns();
  for (const name of NAMES) await dns.set({ name, a: [[ADDRESS]] });
});
afterAll(async () => {
  await line.close();
  await dns.stop();
  tls.setDefaultCACertificates(trusted);
});

const orderFor = (alternative: string) => ({ name: 'receiver', extensions: [`subjectAltName=${alternative}`] });
const certificateFor = (alternative: string, by = authority, days = 1) => issue(by, { ...orderFor(alternative), days });

type Receiver = {
  post(host: string): Promise<number | string>;
  /** Whose requests have arrived. */
  hosts(): (string | undefined)[];
  connections(): number;
};

/** Runs `work` beside a receiver with this certificate, which keeps its connections. */
async function withReceiver<T>(certificate: Certificate & ServerOptions, work: (receiver: Receiver) => Promise<T>) {
  const hosts: string[] = [];
  let connections = 0;
  const server = createServer(certificate, (request, response) => {
    hosts.push(request.headers.host ?? '');
    request.resume();
    response.writeHead(204).end();
  });
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, ADDRESS), 'listening');
  const { port } = server.address() as AddressInfo;
  async function post(host: string): Promise<number | string> {
    const [where] = await line.locate(`https://${host}:${port}/`);
    if (!where) return 'nowhere';
    const reply = await line.post(where, { headers: {}, body: '{}', timeoutMs: 5_000, isWanted: async () => true });
    if (reply.kind === 'unwanted') return reply.kind;
    return reply.kind === 'answered' ? reply.status : reply.reason;
  }
  try {
    return await work({
      post,
      hosts: () => hosts.map((host) => host.split(':', 1)[0]),
      connections: () => connections,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const good: [what: string, host: string, certificate: () => Certificate][] = [
  ['its name', NAME, () => certificateFor(`DNS:${NAME}`)],
  ['a wildcard of its name', NAME, () => certificateFor('DNS:*.example.com')],
  ['its address, where the URL has one', ADDRESS, () => certificateFor(`IP:${ADDRESS}`)],
];
test.each(good)('204: a certificate of %s', async (_what, host, certificate) => {
  await withReceiver(certificate(), async ({ post }) => expect(await post(host)).toBe(204));
});

const OLD = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const bad: [what: string, host: string, certificate: () => Certificate & ServerOptions][] = [
  ['a certificate of another name', NAME, () => certificateFor(`DNS:${OTHER}`)],
  ['a certificate of the address instead of the name', NAME, () => certificateFor(`IP:${ADDRESS}`)],
  ['a certificate of a name instead of the address', ADDRESS, () => certificateFor(`DNS:${NAME}`)],
  ['a wildcard two labels above', NAMES[2], () => certificateFor('DNS:*.example.com')],
  ['a certificate that has expired', NAME, () => certificateFor(`DNS:${NAME}`, authority, -1)],
  ['a certificate of an authority that nobody knows', NAME, () => certificateFor(`DNS:${NAME}`, makeAuthority())],
  ['a certificate signed by itself', NAME, () => issue(undefined, orderFor(`DNS:${NAME}`))],
  ['TLS 1.1', NAME, () => ({ ...certificateFor(`DNS:${NAME}`), ...OLD })],
];
test.each(bad)('nothing is sent: %s', async (_what, host, certificate) => {
  await withReceiver(certificate(), async ({ post, hosts }) => {
    expect(await post(host)).toBe('tls');
    expect(hosts()).toEqual([]);
  });
});

test('a connection is used again for its own name alone, though another name has the same address and port', async () => {
  await withReceiver(certificateFor(`DNS:${NAME}`), async ({ post, hosts, connections }) => {
    expect(await post(NAME)).toBe(204);
    expect(await post(OTHER)).toBe('tls');
    expect(await post(NAME)).toBe(204);
    expect(hosts()).toEqual([NAME, NAME]);
    // The other name has asked for one of its own.
    expect(connections()).toBeGreaterThanOrEqual(2);
  });
});
