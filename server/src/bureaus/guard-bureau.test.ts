import { expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createAskBureaus } from './ask-bureaus.ts';
import { guardBureau } from './guard-bureau.ts';
import type { BureauAdapter, BureauOutcome, Enquiry } from './port.ts';

const ENQUIRY = { enquiryId: 'enquiry-1' } as Enquiry;
const OPTIONS = { timeoutMs: 100, maxConcurrent: 4 };
const OK: BureauOutcome = {
  kind: 'ok',
  file: { accounts: [], addresses: [], searches: [] },
  warnings: [],
  replySha256: 'ab'.repeat(32),
  answeredAt: '2026-01-01T00:00:00.000Z',
};
const ask = async (adapter: BureauAdapter) => {
  const outcome = await adapter.ask(ENQUIRY, new AbortController().signal);
  return outcome.kind === 'unavailable' ? outcome.reason : outcome.kind;
};

test('an adapter that does not end by itself is left behind soon after the deadline, and counts as a failure', async () => {
  const guarded = guardBureau({ ask: () => new Promise(() => {}) }, { ...OPTIONS, timeoutMs: 30, breakAfter: 2 });
  const startedMs = performance.now();
  expect(await ask(guarded)).toBe('timeout');
  expect(performance.now() - startedMs).toBeLessThan(230);
  expect(await ask(guarded)).toBe('timeout');
  expect(await ask(guarded)).toBe('breaker-open');
});

test('an adapter that breaks its promise and rejects is an outcome all the same', async () => {
  const guarded = guardBureau({ ask: () => Promise.reject(new Error('JON ALDEN')) }, OPTIONS);
  expect(await guarded.ask(ENQUIRY, new AbortController().signal)).toMatchObject({
    reason: 'connection',
    cause: { message: 'connection: failed without a code' },
  });
});

test('while one enquiry tries a half-open breaker, the others are refused at once', async () => {
  let asked = 0;
  const trial = Promise.withResolvers<BureauOutcome>();
  const adapter: BureauAdapter = {
    async ask() {
      asked += 1;
      return asked === 1 ? { kind: 'unavailable', reason: 'connection' } : trial.promise;
    },
  };
  const guarded = guardBureau(adapter, { timeoutMs: 5_000, maxConcurrent: 4, breakAfter: 1, halfOpenAfterMs: 30 });
  expect(await ask(guarded)).toBe('connection');
  expect(await ask(guarded)).toBe('breaker-open');
  const tries: Promise<string>[] = [];
  await eventually(() => {
    tries.push(ask(guarded));
    expect(asked).toBe(2);
  });
  expect(await ask(guarded)).toBe('breaker-open');
  trial.resolve(OK);
  const answers = await Promise.all(tries);
  expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1);
  expect(new Set(answers)).toEqual(new Set(['ok', 'breaker-open']));
  expect(asked).toBe(2);
  expect(await ask(guarded)).toBe('ok');
});

test('asking never rejects: neither a broken adapter nor a broken observer costs an answer', async () => {
  const broken: BureauAdapter = { ask: () => Promise.reject(new Error('no')) };
  const good: BureauAdapter = { ask: () => Promise.resolve(OK) };
  const observer = {
    onOutcome() {
      throw new Error('the counter is broken');
    },
  };
  const askAll = createAskBureaus({ equifax: broken, experian: good, transunion: good }, { observer });
  const answers = await askAll(ENQUIRY, ['transunion', 'equifax']);
  expect(answers.map(({ bureau, outcome }) => [bureau, outcome.kind])).toEqual([
    ['equifax', 'unavailable'],
    ['transunion', 'ok'],
  ]);
});
