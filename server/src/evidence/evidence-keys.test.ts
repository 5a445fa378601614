// The ring from the configuration: what is taken, what is refused, and that nothing private is published.
import { expect, test } from 'vitest';
import { newEvidenceKeys, parseEvidenceKeys, pemOf, publish, thumbprint } from './evidence-keys.ts';
import { readPublishedKeys } from './verification/published-keys.ts';

type Given = Record<string, unknown>;

const [first = {}] = JSON.parse(newEvidenceKeys()) as Given[];
const [second = {}] = JSON.parse(newEvidenceKeys()) as Given[];
const { d: _private, ...retired } = second;
const parse = (...keys: unknown[]) => parseEvidenceKeys(JSON.stringify(keys));

test('the id of a key is its thumbprint: the vector of RFC 8037, Appendix A.3', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  expect(thumbprint({ kty: 'OKP', crv: 'Ed25519', x })).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

test('the first key signs; later ones may be public, retired or revoked, and all are published without their secret', () => {
  const ring = parse(first, { ...retired, validUntil: '2099-01-01', revokedAt: '2098-12-01T10:00:00+01:00' });
  expect(ring?.map(({ kid, d }) => [kid, d !== undefined])).toEqual([
    [first['kid'], true],
    [second['kid'], false],
  ]);
  const text = JSON.stringify({ keys: publish(ring ?? []) });
  expect(text).not.toContain(String(first['d']));
  expect(readPublishedKeys(text)[1]).toEqual({
    ...{ kty: 'OKP', crv: 'Ed25519', x: second['x'], kid: second['kid'], validFrom: second['validFrom'] },
    ...{ validUntil: '2099-01-01T00:00:00.000Z', revokedAt: '2098-12-01T09:00:00.000Z' },
  });
  expect(ring && pemOf(ring[0])).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\w+/=]{60}\n-----END PUBLIC KEY-----\n$/);
});

const otherHalf = { ...first, d: second['d'] };
const wrong: [what: string, keys: readonly unknown[]][] = [
  ['no key', []],
  ['a first key without its private half', [retired]],
  ['a first key that is revoked', [{ ...first, revokedAt: '2026-01-01' }]],
  ['a first key that ends', [{ ...first, validUntil: '2099-01-01' }]],
  ['a first key that begins later', [{ ...first, validFrom: '2099-01-01' }]],
  ['a key twice', [first, first]],
  ['a key twice, once public', [second, retired]],
  ['halves of two keys', [otherHalf]],
  ['halves of two keys at the end', [first, { ...otherHalf, x: second['x'], d: first['d'], kid: second['kid'] }]],
  ['a private half of zeros', [{ ...first, d: Buffer.alloc(32).toString('base64url') }]],
  ['another kid', [{ ...first, kid: second['kid'] }]],
  ['no validFrom', [{ ...first, validFrom: undefined }]],
  ['a validFrom that is no instant', [{ ...first, validFrom: 'yesterday' }]],
  ['a validUntil before validFrom', [first, { ...retired, validUntil: '2001-01-01' }]],
  ['a misspelt revokedAt', [first, { ...retired, revokedat: '2026-01-01' }]],
  ['another curve', [{ ...first, crv: 'X25519' }]],
  ['another kind', [{ ...first, kty: 'EC' }]],
  ['a list inside', [[first]]],
];
test.each(wrong)('refused: %s', (_what, keys) => expect(parse(...keys)).toBeUndefined());

test('refused: a member that comes twice, of which another reader could take the other one', () => {
  const text = JSON.stringify([first]);
  expect(parseEvidenceKeys(text)).toHaveLength(1);
  expect(parseEvidenceKeys(text.replace('"validFrom"', '"validFrom":"2020-01-01","validFrom"'))).toBeUndefined();
});
