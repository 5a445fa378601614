import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

const complete = ['--base-url', 'http://h', '--tenant', 't', '--client-id', 'c', '--client-secret', 's'];

test('a complete command line runs, without a second credential', () => {
  expect(parseOptions(complete)).toMatchObject({
    kind: 'run',
    options: { baseUrl: 'http://h', credential: { tenantId: 't' }, other: undefined, slow: false, json: false },
  });
});

test('--only ignores case', () => {
  expect(parseOptions(['--list', '--only', 'OTP/'])).toMatchObject({ kind: 'list', only: /OTP\//i });
});

const wrongs: [string, string[], RegExp][] = [
  ['nothing given', [], /Give --base-url/],
  ['a part of the first credential', complete.slice(0, 4), /Give --base-url/],
  ['a part of the second credential', [...complete, '--other-tenant', 'o'], /together/],
  ['an address that is none', ['--base-url', 'h', ...complete.slice(2)], /http or https/],
  ['an unknown option', [...complete, '--fast'], /--fast/],
  ['a broken pattern', [...complete, '--only', '('], /regular expression/i],
];
for (const [what, args, problem] of wrongs) {
  test(`${what}: wrong usage`, () => {
    expect(parseOptions(args)).toMatchObject({ kind: 'wrong', problem: expect.stringMatching(problem) });
  });
}
