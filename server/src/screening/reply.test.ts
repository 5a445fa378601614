// Readings of the provider's reply as a table: only three words about our own report are a decision.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../bureaus/testing/random.ts';
import { readReply } from './reply.ts';

const REFERENCE = '01998a3e-7c11-7d22-8a33-4b5c6d7e8f90';
const GOOD = { reference: REFERENCE, decision: 'challenge', reasons: ['network-suspect'] };
const JSON_TYPE = 'application/json';

const read = (body: unknown, status = 200, contentType = JSON_TYPE) =>
  readReply(
    { status, contentType, bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
    REFERENCE,
  );
const reasonOf = (outcome: ReturnType<typeof read>) =>
  outcome.kind === 'unavailable' ? outcome.reason : `decided: ${outcome.kind}`;

describe('a decision', () => {
  for (const decision of ['allow', 'challenge', 'block'] as const) {
    test(`${decision}, with its reasons`, () => {
      expect(read({ ...GOOD, decision })).toEqual({ kind: decision, reasons: ['network-suspect'] });
    });
  }

  test('may come with keys nobody knows, a character set, and no reason', () => {
    expect(read({ ...GOOD, score: 50, more: { a: [] } }).kind).toBe('challenge');
    expect(read(GOOD, 200, 'Application/JSON; charset=utf-8').kind).toBe('challenge');
    expect(read({ ...GOOD, reasons: [] })).toEqual({ kind: 'challenge', reasons: [] });
  });

  test('keeps ten reasons at most, and drops what is no code', () => {
    const codes = Array.from({ length: 14 }, (_, number) => `reason-${number}`);
    const odd = ['Ada Example', 'UPPER', '', 'a_b', 'x'.repeat(41), 'tab\t', 'line\n', 7, null, {}, ['a']];
    expect(read({ ...GOOD, reasons: [...odd, ...codes] })).toEqual({ kind: 'challenge', reasons: codes.slice(0, 10) });
    expect(read({ ...GOOD, reasons: ['x'.repeat(40)] })).toMatchObject({ reasons: ['x'.repeat(40)] });
  });
});

describe('no decision', () => {
  const unintelligible: readonly (readonly [string, unknown])[] = [
    ['a word nobody knows', { ...GOOD, decision: 'review' }],
    ['a word in capitals', { ...GOOD, decision: 'ALLOW' }],
    ['a word with a space', { ...GOOD, decision: 'allow ' }],
    ['no word', { ...GOOD, decision: undefined }],
    ['true', { ...GOOD, decision: true }],
    ['a list of words', { ...GOOD, decision: ['allow'] }],
    ['a name of the language', { ...GOOD, decision: 'constructor' }],
    ['another report', { ...GOOD, reference: '01998a3e-7c11-7d22-8a33-4b5c6d7e8f91' }],
    ['no reference', { ...GOOD, reference: undefined }],
    ['no reasons', { ...GOOD, reasons: undefined }],
    ['reasons that are no list', { ...GOOD, reasons: 'network-suspect' }],
    ['a list', [GOOD]],
    ['text', '"allow"'],
    ['null', 'null'],
    ['nothing', ''],
    ['a decision twice', `{"reference":"${REFERENCE}","decision":"block","decision":"allow","reasons":[]}`],
    ['half', JSON.stringify(GOOD).slice(0, 60)],
    ['HTML', '<!DOCTYPE html><h1>allow</h1>'],
  ];
  for (const [name, body] of unintelligible) {
    test(`${name}: unintelligible`, () => expect(reasonOf(read(body))).toBe('unintelligible'));
  }

  test('another content type or another success: unintelligible', () => {
    expect(reasonOf(read(GOOD, 200, 'text/plain'))).toBe('unintelligible');
    expect(reasonOf(read(GOOD, 200, ''))).toBe('unintelligible');
    for (const status of [201, 202, 204, 302]) expect(reasonOf(read(GOOD, status))).toBe('unintelligible');
  });

  test('an error status: refused, whatever the body says; only 400 is the request’s own fault', () => {
    for (const status of [400, 401, 403, 404, 409, 415, 429, 500, 502, 503]) {
      expect(read({ ...GOOD, decision: 'allow' }, status)).toMatchObject({
        kind: 'unavailable',
        reason: 'refused',
        cause: { blame: status === 400 ? 'request' : 'provider' },
      });
    }
  });

  test('the cause quotes nothing of the reply', () => {
    for (const body of ['{"decision":"ADA EXAMPLE"', { ...GOOD, decision: 'ADA EXAMPLE' }]) {
      const outcome = read(body);
      expect(outcome.kind === 'unavailable' && String(outcome.cause)).not.toContain('ADA');
    }
  });

  test('20,000 spoilt replies: none throws, and none becomes an allow', () => {
    const whole = JSON.stringify({ ...GOOD, decision: 'block' });
    const random = createRandom(20_260_601);
    for (let count = 0; count < 20_000; count++) {
      const bytes = Buffer.from(whole);
      for (let spoilt = random.below(3); spoilt >= 0; spoilt--) bytes[random.below(bytes.length)] = random.below(256);
      const length = random.pick([bytes.length, random.below(bytes.length)]);
      const outcome = readReply({ status: 200, contentType: JSON_TYPE, bytes: bytes.subarray(0, length) }, REFERENCE);
      expect(['block', 'unavailable']).toContain(outcome.kind);
    }
  });
});
