import { expect, test } from 'vitest';
import { newEvidenceKeys, parseEvidenceKeys, publish } from '../evidence/evidence-keys.ts';
import { createReceiptSigner, KEPT_OTHERS, type Receipt, receiptText, verifyReceipt } from './receipt.ts';

const ring = parseEvidenceKeys(newEvidenceKeys(new Date('2026-01-01T00:00:00Z')));
if (!ring) throw new Error('no ring');
const keys = publish(ring);
const signer = createReceiptSigner('https://trefoil.example.com', ring);

const receipt: Receipt = {
  type: 'trefoil/erasure/1',
  ...{ issuer: signer.issuer, kid: signer.kid, erasedAt: '2026-03-02T09:00:00.000Z' },
  erasureId: '01998b50-3c20-7e52-9f63-7a8192a3b4c5',
  tenantId: '01998a00-0000-7000-8000-000000000001',
  creditReportIds: ['01998a3e-7c11-7d22-8a33-4b5c6d7e8f90'],
  erased: { reports: 1, sightings: 5 },
  kept: { statementLines: ['7', '9'], others: KEPT_OTHERS },
};

function signed(text: string) {
  return { receipt: text, signature: signer.sign(text).toString('base64'), kid: signer.kid };
}

test('a receipt is verified by the published key, which has no private half', () => {
  expect(JSON.stringify(keys)).not.toContain('"d"');
  expect(verifyReceipt(signed(receiptText(receipt)), keys)).toEqual({ verdict: 'good', receipt });
});

test('every single byte that is changed is noticed', () => {
  const good = signed(receiptText(receipt));
  for (let at = 0; at < good.receipt.length; at += 1) {
    const letter = good.receipt[at] === 'a' ? 'b' : 'a';
    const changed = { ...good, receipt: `${good.receipt.slice(0, at)}${letter}${good.receipt.slice(at + 1)}` };
    expect(verifyReceipt(changed, keys).verdict, String(at)).toBe('altered');
  }
});

const signatureOf = signed(receiptText(receipt)).signature;
const rows = [
  ['another signature', { signature: `${signatureOf.startsWith('A') ? 'B' : 'A'}${signatureOf.slice(1)}` }, 'altered'],
  ['a signature with another spelling', { signature: `${signatureOf}\n` }, 'altered'],
  ['a signature cut short', { signature: signatureOf.slice(0, 40) }, 'altered'],
  ['another key beside the same text', { kid: 'x'.repeat(43) }, 'altered'],
] as const;
for (const [name, change, verdict] of rows) {
  test(`${name}: ${verdict}`, () => {
    expect(verifyReceipt({ ...signed(receiptText(receipt)), ...change }, keys)).toEqual({
      verdict,
      receipt: undefined,
    });
  });
}

test('what our key signed for another purpose is no receipt', () => {
  const text = receiptText({ ...receipt, type: 'trefoil/evidence/1' } as unknown as Receipt);
  expect(verifyReceipt(signed(text), keys).verdict).toBe('altered');
});

test('the same values in another order are not the text that was signed', () => {
  expect(verifyReceipt(signed(JSON.stringify(receipt)), keys).verdict).toBe('altered');
});

test('a key that is unknown, revoked, or was not in use', () => {
  const good = signed(receiptText(receipt));
  const [key] = keys;
  if (!key) throw new Error('no key');
  expect(verifyReceipt(good, []).verdict).toBe('unknown-key');
  expect(verifyReceipt(good, [{ ...key, revokedAt: '2026-05-01T00:00:00.000Z' }]).verdict).toBe('revoked-key');
  expect(verifyReceipt(good, [{ ...key, validUntil: '2026-02-01T00:00:00.000Z' }]).verdict).toBe('key-not-valid');
  expect(verifyReceipt(good, [{ ...key, validFrom: '2026-04-01T00:00:00.000Z' }]).verdict).toBe('key-not-valid');
});
