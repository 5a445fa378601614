// One machine has several names: a server on localhost also answers at 127.0.0.1, where a browser has different cookies and
// no passkeys. A page requested there is redirected to the base address, so that a sign-in ends where it began
// (docs/decisions/0172-one-name-for-this-machine.md).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isThisMachine } from '../lib/values/plaintext.ts';
import { isSafeMethod } from './authenticate.ts';

/**
 * Only between names of this machine and at the base address's own port: behind a proxy that rewrites the Host, the
 * redirect would loop for ever.
 */
export function isOtherName(host: string | undefined, baseUrl: string): boolean {
  const [asked, base] = [URL.parse(`http://${host}`), new URL(baseUrl)];
  if (!asked || !isThisMachine(base.hostname) || !isThisMachine(asked.hostname)) return false;
  return asked.hostname !== base.hostname && asked.port === base.port;
}

/** For the `onRequest` of routes that show pages. */
export function createOwnNameHook(baseUrl: string) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (isSafeMethod(request) && isOtherName(request.headers.host, baseUrl)) {
      await reply.redirect(`${baseUrl}${request.url}`, 303);
    }
  };
}
