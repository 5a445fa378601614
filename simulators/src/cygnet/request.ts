// Reads a Cygnet enquiry and lists everything that is wrong with it.
import { isDate } from '../dates.ts';
import type { Subject } from '../enquiry-handler.ts';

export type RequestFault = { readonly pointer: string; readonly detail: string };

export type CygnetRequest =
  | { readonly kind: 'invalid'; readonly faults: readonly RequestFault[] }
  | { readonly kind: 'enquiry'; readonly reference: string; readonly subject: Subject };

const ADDRESSES_MAX = 10;

export function readRequest(body: string): CygnetRequest {
  let root: unknown;
  try {
    root = JSON.parse(body);
  } catch {
    return { kind: 'invalid', faults: [{ pointer: '', detail: 'not JSON' }] };
  }
  const reference = textAt(root, 'reference');
  const given = textAt(root, 'subject', 'name', 'given', '0');
  const family = textAt(root, 'subject', 'name', 'family');
  const born = textAt(root, 'subject', 'born');
  const listed = valueAt(root, ['addresses']) ?? [];
  const addresses: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const postcodes = addresses.map((address) => textAt(address, 'paf', 'postcode'));
  const faults = [
    check(reference !== '' && reference.length <= 64, '/reference', 'needed, at most 64 characters'),
    check(given !== '', '/subject/name/given/0', 'needed'),
    check(family !== '', '/subject/name/family', 'needed'),
    check(isDate(born), '/subject/born', 'must be a date, YYYY-MM-DD'),
    check(Array.isArray(listed) && listed.length <= ADDRESSES_MAX, '/addresses', 'must be a list of at most 10'),
    ...postcodes.map((postcode, place) => check(postcode !== '', `/addresses/${place}/paf/postcode`, 'needed')),
  ].flat();
  if (faults.length > 0) return { kind: 'invalid', faults };
  return { kind: 'enquiry', reference, subject: { given, family, born, postcodes } };
}

const check = (isRight: boolean, pointer: string, detail: string): RequestFault[] =>
  isRight ? [] : [{ pointer, detail }];

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (each, key) => (typeof each === 'object' && each !== null ? (each as Record<string, unknown>)[key] : undefined),
    value,
  );
}

function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found.trim() : '';
}
