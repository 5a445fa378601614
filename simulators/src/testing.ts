// For the tests beside the code: starts the real process and speaks the three wires as WIRE.md describes them.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { describePerson } from './people/describe.ts';
import type { BureauName } from './people/lenders.ts';
import { element } from './xml.ts';

export type Person = ReturnType<typeof describePerson>;

export type Addresses = Record<BureauName, string> & {
  readonly credentials: {
    readonly albion: { readonly username: string; readonly password: string };
    readonly beacon: { readonly apiKey: string };
    readonly cygnet: { readonly clientId: string; readonly clientSecret: string };
  };
};

export type Simulators = Addresses & { readonly process: ChildProcess; stop(): Promise<number | null> };

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

export function runMain(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

export async function startSimulators(...args: readonly string[]): Promise<Simulators> {
  const child = runMain('--json', ...args);
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  const stop = async () => {
    if (child.exitCode !== null) return child.exitCode;
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    return typeof code === 'number' ? code : null;
  };
  return { ...(JSON.parse(text) as Addresses), process: child, stop };
}

export async function person(address: string, id: string): Promise<Person> {
  const response = await fetch(`${address}/people/${id}`);
  return (await response.json()) as Person;
}

export type Ask = {
  readonly enquiryId?: string;
  readonly simulate?: string;
  readonly signal?: AbortSignal;
  readonly postcodes?: readonly string[];
};

const simulateHeader = (simulate: string | undefined) => (simulate === undefined ? {} : { 'x-simulate': simulate });

/** `content`: the inside of the EnquiryRequest. */
export function postAlbion(sims: Addresses, content: string, { enquiryId = randomUUID(), simulate, signal }: Ask = {}) {
  return postAlbionXml(sims.albion, albionEnvelope(sims.credentials.albion, content, enquiryId), {
    ...(simulate !== undefined && { simulate }),
    ...(signal && { signal }),
  });
}

export function postAlbionXml(address: string, body: string, { simulate, signal }: Ask = {}) {
  return fetch(`${address}/enquiry`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml; charset=utf-8', ...simulateHeader(simulate) },
    body,
    signal: signal ?? null,
  });
}

export function albionEnvelope(
  { username, password }: Addresses['credentials']['albion'],
  content: string,
  enquiryId: string,
): string {
  const nonce = randomBytes(16);
  const created = new Date().toISOString();
  const digest = createHash('sha256').update(nonce).update(created).update(password).digest('base64');
  const token = [
    element('sec:Username', {}, username),
    element('sec:Password', {}, digest),
    element('sec:Nonce', {}, nonce.toString('base64')),
    element('sec:Created', {}, created),
  ].join('');
  const header = element('env:Header', {}, element('sec:UsernameToken', {}, token));
  const request = element('rpt:EnquiryRequest', { ver: 3, enqId: enquiryId, why: 'OW' }, content);
  return element('env:Envelope', { 'xmlns:env': 'urn:e' }, header + element('env:Body', {}, request));
}

export function askAlbion(sims: Addresses, who: Person, ask: Ask = {}) {
  const subject = element('subject', { fore: who.firstName, sur: who.lastName, dob: who.dateOfBirth });
  const addresses = who.addresses.map((each) =>
    element('addr', {
      flat: each.subBuildingName,
      name: each.buildingName,
      no: each.buildingNumber,
      pc: ask.postcodes?.[0] ?? each.postcode,
    }),
  );
  return postAlbion(sims, subject + addresses.join(''), ask);
}

export function askBeacon(
  sims: Addresses,
  who: Person,
  { enquiryId = randomUUID(), simulate, signal, postcodes }: Ask = {},
) {
  const [year, month, day] = who.dateOfBirth.split('-');
  return fetch(`${sims.beacon}/v2/file`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': sims.credentials.beacon.apiKey,
      ...simulateHeader(simulate),
    },
    body: JSON.stringify({
      hdr: { ver: '2', ref: enquiryId, pur: 'O' },
      sub: { fn: who.firstName, sn: who.lastName, dob: `${day}${month}${year}` },
      loc: (postcodes ?? who.addresses.map(({ postcode }) => postcode)).map((pc) => ({ pc })),
    }),
    signal: signal ?? null,
  });
}

export async function cygnetToken({ cygnet, credentials }: Addresses): Promise<string> {
  const { clientId, clientSecret } = credentials.cygnet;
  const response = await fetch(`${cygnet}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

export async function askCygnet(sims: Addresses, who: Person, ask: Ask = {}) {
  const { enquiryId = randomUUID(), simulate, signal, postcodes } = ask;
  return fetch(`${sims.cygnet}/enquiries`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await cygnetToken(sims)}`,
      'content-type': 'application/json',
      ...simulateHeader(simulate),
    },
    body: JSON.stringify({
      reference: enquiryId,
      purpose: 'ownFile',
      subject: { name: { given: [who.firstName], family: who.lastName }, born: who.dateOfBirth },
      addresses: (postcodes ?? who.addresses.map(({ postcode }) => postcode)).map((postcode) => ({
        paf: { postcode },
      })),
    }),
    signal: signal ?? null,
  });
}

export const ASK = { albion: askAlbion, beacon: askBeacon, cygnet: askCygnet } as const;

export const BUREAUS: readonly BureauName[] = ['albion', 'beacon', 'cygnet'];

export type LoggedEnquiry = {
  readonly enquiryId: string;
  readonly person: string | null;
  readonly enquiries: number;
  readonly calls: readonly { readonly call: string; readonly behaviour: string }[];
};

export async function enquiriesOf(address: string, enquiryId: string): Promise<readonly LoggedEnquiry[]> {
  const response = await fetch(`${address}/control/enquiries`);
  const { enquiries } = (await response.json()) as { enquiries: LoggedEnquiry[] };
  return enquiries.filter((each) => each.enquiryId === enquiryId);
}

export async function control(address: string, rule: object): Promise<Response> {
  return fetch(`${address}/control`, { method: 'POST', body: JSON.stringify(rule) });
}
