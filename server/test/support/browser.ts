// As much of a browser as signing in needs: cookies with their paths, redirects one at a time, and forms.
import { randomBytes } from 'node:crypto';
import type { Role } from '@trefoil/contract';
import { setPassword } from '../../src/identity/factors/change-password.ts';
import type { TestServer } from '../harness.ts';
import { addPerson } from './people.ts';
import { type Reply, send } from './wire.ts';

export type Visit = { readonly origin?: string | undefined; readonly headers?: Readonly<Record<string, string>> };

type Cookie = { readonly value: string; readonly path: string; readonly attributes: readonly string[] };

export type ApiCall = { readonly headers?: Readonly<Record<string, string>>; readonly body?: object };

export const ACCESS = '__Host-trefoil_access';
export const REFRESH = '__Host-trefoil_refresh';

export const setCookies = ({ headers }: Reply) => headers['set-cookie'] ?? [];

/** The value an answer sets. */
export const newCookie = (reply: Reply, name: string) =>
  setCookies(reply)
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split(';', 1)[0];

export class Browser {
  readonly baseUrl: string;
  /** By name, and by name and path where it is not the root: one name may stand for several paths. */
  readonly cookies = new Map<string, Cookie>();

  /** Which node the next request reaches; all of them are the one address to the browser. */
  readonly #nextNode: () => string;

  constructor({ baseUrl, nextNode }: { readonly baseUrl: string; readonly nextNode?: () => string }) {
    this.baseUrl = baseUrl;
    this.#nextNode = nextNode ?? (() => baseUrl);
  }

  cookieHeader(path: string): string {
    const [pathname = ''] = path.split('?', 1);
    const isUnder = (cookiePath: string) =>
      cookiePath === '/' || pathname === cookiePath || pathname.startsWith(`${cookiePath}/`);
    return [...this.cookies]
      .filter(([, cookie]) => isUnder(cookie.path))
      .map(([key, { value }]) => `${key.split('@', 1)[0]}=${value}`)
      .join('; ');
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name)?.value;
  }

  #keep(reply: Reply): void {
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const lower = attributes.map((attribute) => attribute.toLowerCase());
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
      const isOver =
        lower.includes('max-age=0') || lower.some((attribute) => attribute.startsWith('expires=thu, 01 jan 1970'));
      const key = path === '/' ? name : `${name}@${path}`;
      if (isOver) this.cookies.delete(key);
      else this.cookies.set(key, { value, path, attributes: lower });
    }
  }

  async get(path: string, { headers = {} }: Visit = {}): Promise<Reply> {
    const cookie = this.cookieHeader(path);
    const reply = await send(this.#nextNode(), {
      method: 'GET',
      path,
      headers: { accept: 'text/html', ...(cookie && { cookie }), ...headers },
    });
    this.#keep(reply);
    return reply;
  }

  async post(path: string, fields: Readonly<Record<string, string>>, visit: Visit = {}): Promise<Reply> {
    const cookie = this.cookieHeader(path);
    const origin = 'origin' in visit ? visit.origin : this.baseUrl;
    const reply = await send(this.#nextNode(), {
      method: 'POST',
      path,
      body: new URLSearchParams(fields).toString(),
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        ...(cookie && { cookie }),
        ...(origin !== undefined && { origin }),
        ...visit.headers,
      },
    });
    this.#keep(reply);
    return reply;
  }

  /** As a page's script calls the API: with the cookies, and the headers it is told to send. The answer's are not kept. */
  callApi(method: string, path: string, { headers = {}, body }: ApiCall = {}): Promise<Reply> {
    const text = method === 'GET' || body === undefined ? undefined : JSON.stringify(body);
    const cookie = this.cookieHeader(path);
    const type = text === undefined ? {} : { 'content-type': 'application/json' };
    return send(this.#nextNode(), { method, path, body: text, headers: { ...type, cookie, ...headers } });
  }

  /** Follows redirects while they stay with us; returns the first answer that is none, or leads elsewhere. */
  async follow(reply: Reply): Promise<{ reply: Reply; path: string }> {
    let current = reply;
    let path = '';
    for (let hops = 0; hops < 12; hops += 1) {
      const location = current.headers.location;
      if (location === undefined || current.status < 300 || current.status >= 400) return { reply: current, path };
      const url = new URL(location, this.baseUrl);
      path = `${url.pathname}${url.search}`;
      if (url.origin !== this.baseUrl) return { reply: current, path };
      current = await this.get(path);
    }
    throw new Error('too many redirects');
  }

  /** Opens the address and follows it to where the person has something to do. */
  async open(path: string): Promise<{ reply: Reply; path: string }> {
    const opened = await this.follow(await this.get(path));
    return { ...opened, path: opened.path || path };
  }
}

export type Account = { readonly email: string; readonly password: string };

/** Through the pages, with a password alone; ends where the sign-in was to lead. */
export async function signIn(server: TestServer, account: Account, path = '/v1/auth/login'): Promise<Browser> {
  const browser = new Browser(server);
  const page = await browser.open(path);
  if (!page.path.startsWith('/v1/auth/sign-in/')) throw new Error(`expected the sign-in page, got ${page.path}`);
  const { email, password } = account;
  await browser.follow(await browser.post(page.path, { email, password }));
  if (!browser.cookie('__Host-trefoil_access')) throw new Error('the sign-in did not lead to cookies');
  return browser;
}

/** A member of the tenant who has a password and no second factor. */
export async function addAccount(server: TestServer, tenantId: string, role: Role) {
  const { userId, email } = await addPerson(server, tenantId, role);
  const password = `pass-${randomBytes(12).toString('hex')}`;
  await server.database.asSystem((tx) => setPassword(tx, userId, password));
  return { userId, email, password };
}
