// Reads an Albion request and checks its username token.
import { createHash, timingSafeEqual } from 'node:crypto';
import { isDate } from '../dates.ts';
import type { Subject } from '../enquiry-handler.ts';
import { childOf, readXml, XmlFault, type XmlNode } from '../xml.ts';
import type { FaultCode } from './codes.ts';

export type AlbionCredentials = { readonly username: string; readonly password: string };

export type AlbionRequest =
  | { readonly kind: 'fault'; readonly code: FaultCode; readonly detail?: string }
  | { readonly kind: 'pick'; readonly enquiryId: string; readonly premisesKey: string }
  | {
      readonly kind: 'enquiry';
      readonly enquiryId: string;
      readonly subject: Subject;
      readonly namesPremises: boolean;
    };

const ADDRESSES_MAX = 10;
const NONCES_MAX = 100_000;

/** Nonces seen. The oldest are dropped: a simulator is not attacked, it only has to notice a careless client. */
export class Nonces {
  #seen = new Set<string>();

  /** False when it was seen before. */
  use(nonce: string): boolean {
    if (this.#seen.has(nonce)) return false;
    this.#seen.add(nonce);
    if (this.#seen.size > NONCES_MAX) {
      const [oldest] = this.#seen;
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
    return true;
  }
}

export function readRequest(body: string, credentials: AlbionCredentials, nonces: Nonces): AlbionRequest {
  let envelope: XmlNode;
  try {
    envelope = readXml(body);
  } catch (error) {
    if (error instanceof XmlFault) return { kind: 'fault', code: '3002', detail: error.message };
    throw error;
  }
  const token = childOf(childOf(envelope, 'Header'), 'UsernameToken');
  const [username, password, nonce, created] = ['Username', 'Password', 'Nonce', 'Created'].map(
    (name) => childOf(token, name)?.text.trim() ?? '',
  );
  if (!nonce || !isDigestRight({ username, password, nonce, created }, credentials))
    return { kind: 'fault', code: '3001' };
  if (!nonces.use(nonce)) return { kind: 'fault', code: '3004' };
  const request = childOf(childOf(envelope, 'Body'), 'EnquiryRequest');
  return request ? readEnquiry(request) : { kind: 'fault', code: '3002', detail: 'no EnquiryRequest' };
}

type Token = { username: string | undefined; password: string | undefined; nonce: string; created: string | undefined };

function isDigestRight({ username, password, nonce, created }: Token, credentials: AlbionCredentials): boolean {
  if (username !== credentials.username || !created || Number.isNaN(Date.parse(created))) return false;
  const right = createHash('sha256')
    .update(Buffer.from(nonce, 'base64'))
    .update(created)
    .update(credentials.password)
    .digest();
  const given = Buffer.from(password ?? '', 'base64');
  return given.length === right.length && timingSafeEqual(given, right);
}

function readEnquiry(request: XmlNode): AlbionRequest {
  const enquiryId = request.attributes['enqId'] ?? '';
  if (!enquiryId || enquiryId.length > 64) return missing('enqId');
  const picked = childOf(request, 'pick');
  if (picked) return { kind: 'pick', enquiryId, premisesKey: picked.attributes['premKey'] ?? '' };
  const { fore = '', sur = '', dob = '' } = childOf(request, 'subject')?.attributes ?? {};
  if (!fore.trim()) return missing('fore');
  if (!sur.trim()) return missing('sur');
  if (!isDate(dob)) return missing('dob');
  const addresses = request.children.filter(({ name }) => name === 'addr').map(({ attributes }) => attributes);
  if (addresses.length > ADDRESSES_MAX || addresses.some(({ pc }) => !pc?.trim())) return missing('addr');
  return {
    kind: 'enquiry',
    enquiryId,
    subject: { given: fore, family: sur, born: dob, postcodes: addresses.map(({ pc = '' }) => pc) },
    namesPremises: addresses.length === 0 || addresses.some(({ flat, name, no }) => Boolean(flat || name || no)),
  };
}

const missing = (name: string): AlbionRequest => ({ kind: 'fault', code: '3003', detail: name.toUpperCase() });
