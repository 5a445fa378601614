// Every page the router has: forms of other sites are refused before anything happens, and pages for who is signed in
// show nothing to anybody else. The routes come from the router itself, so a new page is in here from the start.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { addAccount, signIn } from '../support/browser.ts';
import { printState } from '../support/dump.ts';
import { readError, send } from '../support/wire.ts';

const routes: { readonly method: string; readonly path: string }[] = [];
let server: TestServer;
beforeAll(async () => {
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      for (const each of [method].flat()) if (url.startsWith('/v1/auth/')) routes.push({ method: each, path: url });
    });
  subscribe('fastify.initialization', listen);
  server = await startServer();
  unsubscribe('fastify.initialization', listen);
});
afterAll(() => server.close());

const filled = (path: string) => path.replace(/:\w+/g, 'x');
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

test('403 forbidden: no form is taken from another site, from nowhere, or from a page without an origin', async () => {
  const posts = routes.filter(({ method }) => method === 'POST');
  expect(posts.length).toBeGreaterThan(15);
  const account = await addAccount(server, server.demo.tenantId, 'owner');
  const browser = await signIn(server, account);
  const before = await printState(server);
  for (const { path } of posts) {
    for (const origin of [undefined, 'null', 'https://evil.example.com', server.baseUrl.replace('http:', 'https:')]) {
      const reply = await browser.post(filled(path), {}, { origin });
      expect([path, origin, reply.status]).toEqual([path, origin, 403]);
    }
  }
  expect(await printState(server)).toBe(before);
});

/** Of people who are signed in. */
const isOwn = ({ path }: { readonly path: string }) =>
  /^\/v1\/auth\/(account|security|credentials|first-factor)/.test(path);

test('303 to the sign-in: account, security, credentials and a first factor show nothing to who is not signed in', async () => {
  const own = routes.filter(isOwn);
  expect(own.length).toBeGreaterThan(8);
  for (const { method, path } of own) {
    const headers = method === 'POST' ? { ...FORM, origin: server.baseUrl } : FORM;
    const reply = await send(server.baseUrl, { method, path, headers, ...(method === 'POST' && { body: '' }) });
    expect([path, reply.status]).toEqual([path, 303]);
    expect(reply.headers.location).toMatch(/^\/v1\/auth\/login\?returnTo=/);
  }
});

test('a sign-in, an agreement, a reset or an invitation that is not there: a calm page, never a fault of ours', async () => {
  for (const { method, path } of routes.filter((route) => route.path.includes(':') && !isOwn(route))) {
    const headers = method === 'POST' ? { ...FORM, origin: server.baseUrl } : FORM;
    const reply = await send(server.baseUrl, {
      method,
      path: filled(path),
      headers,
      body: method === 'POST' ? 'a=b' : undefined,
    });
    expect([path, reply.status >= 400 && reply.status < 500]).toEqual([path, true]);
    expect(reply.headers['content-type']).toContain('text/html');
    expect(reply.text).toContain('<h1>');
  }
});

test('errors are pages for browsers and the published body for everybody else', async () => {
  const request = { method: 'POST', path: '/v1/auth/forgotten-password', body: 'email=x' };
  const forbidden = await send(server.baseUrl, { ...request, headers: { ...FORM, accept: 'application/json' } });
  expect([forbidden.status, readError(forbidden).code]).toEqual([403, 'forbidden']);
  const page = await send(server.baseUrl, { ...request, headers: FORM });
  expect([page.status, page.text.includes('This is not allowed')]).toEqual([403, true]);
  const json = await send(server.baseUrl, {
    ...request,
    body: '{}',
    headers: { origin: server.baseUrl, 'content-type': 'application/json' },
  });
  expect([json.status, readError(json).code]).toEqual([415, 'unsupported-media-type']);
  const large = await send(server.baseUrl, {
    ...request,
    body: `email=${'x'.repeat(40_000)}`,
    headers: { ...FORM, origin: server.baseUrl },
  });
  expect(large.status).toBe(413);
});

test('what people typed or called themselves is text on every page', async () => {
  const account = await addAccount(server, server.demo.tenantId, 'owner');
  const hostile = `<script>alert(1)</script>"onload="x`;
  await server.query('update users set first_name = $2 where id = $1', [account.userId, hostile]);
  const browser = await signIn(server, account);
  const { text } = await browser.get('/v1/auth/account');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;onload=&quot;x');
  expect(text).not.toContain('<script>alert');
});
