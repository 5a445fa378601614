// Cookies: all of ours are of the strictest kind, which no other host and no script can read or set
// (docs/decisions/0023-cookies.md).
import type { FastifyReply, FastifyRequest } from 'fastify';

export const ACCESS_COOKIE = '__Host-trefoil_access';
export const REFRESH_COOKIE = '__Host-trefoil_refresh';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** The names of the request's cookies with this prefix, oldest first, as browsers send them. */
export function listCookies({ headers }: FastifyRequest, prefix: string): string[] {
  const names = (headers.cookie ?? '').split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? '');
  return names.filter((name) => name.startsWith(prefix));
}

export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
  }
  return undefined;
}

/** The value may have only characters that need no quoting: base64url, dots. */
export function setCookie(reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void {
  reply.header('set-cookie', `${name}=${value}; ${ATTRIBUTES}; Max-Age=${maxAgeSeconds}`);
}

export function clearCookie(reply: FastifyReply, name: string): void {
  setCookie(reply, name, '', 0);
}
