import { expect, test } from 'vitest';
import { envelope } from './envelope.ts';

const wallet = { balance: 8_000, cost: 2_000 };
const data = { status: 'complete', creditReportId: 'an id' };

test('a report that comes as text stands in the data as if it had come as an object', () => {
  const creditReport = { person: { lastName: 'O’Brien "}}" \\ Łukasz' }, list: [1, { deep: null }] };
  const answer = { wallet, data, reportText: JSON.stringify(creditReport) };
  const text = envelope(answer, performance.now()) as string;
  expect(JSON.parse(text)).toEqual({
    meta: { request: { timeTakenMs: expect.any(Number) }, wallet },
    data: { ...data, creditReport },
  });
});

test('without a report the answer is an object, and without a wallet it has none', () => {
  expect(envelope({ data }, performance.now())).toEqual({
    meta: { request: { timeTakenMs: expect.any(Number) } },
    data,
  });
});
