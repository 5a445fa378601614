import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { closed, findSettingFaults, HttpUrl, SettingText, wholeNumber } from './setting-schema.ts';

const Account = closed(
  {
    baseUrl: HttpUrl,
    credentials: closed({ username: SettingText, password: SettingText }),
    count: Type.Optional(wholeNumber(1, 10)),
    from: Type.Optional(SettingText),
    service: Type.Optional(SettingText),
  },
  { anyOf: [{ required: ['from'] }, { required: ['service'] }], 'x-message': '/from or /service is missing' },
);
const right = {
  baseUrl: 'https://a.example.com',
  credentials: { username: 'hush-user', password: 'hush-password' },
  from: 'hush-from',
};
const { from: _, ...withoutSender } = right;
const faultsOf = (changes: object) => findSettingFaults(Account, { ...right, ...changes }, '/equifax');

describe('a setting judged by its schema', () => {
  test('what is right has no faults', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ baseUrl: 'http://127.0.0.1:1', count: 10, service: 's' })).toEqual([]);
  });

  const rows: [what: string, changes: object, faults: string[]][] = [
    ['a key that is missing', { credentials: { username: 'hush' } }, ['/equifax/credentials/password is missing']],
    [
      'a key that is misspelt',
      { credentials: { username: 'hush', passwrod: 'hush' } },
      [
        '/equifax/credentials/password is missing',
        '/equifax/credentials/passwrod is not known; did you mean password?',
      ],
    ],
    ['a key that is like no other', { zebra: 'hush' }, ['/equifax/zebra is not known']],
    ['an empty text', { from: '' }, ['/equifax/from must be a text that is not empty']],
    ['null', { from: null }, ['/equifax/from must be a text that is not empty']],
    ['a list for an object', { credentials: ['hush', 'hush'] }, ['/equifax/credentials must be an object']],
    ['no address', { baseUrl: 'hush' }, ['/equifax/baseUrl must be an address with http or https']],
    ['another kind of address', { baseUrl: 'ftp://hush' }, ['/equifax/baseUrl must be an address with http or https']],
    ...[0, 11, 1.5, '5', null, Number.NaN, true].map((count): [string, object, string[]] => [
      `${JSON.stringify(count)} as a count`,
      { count },
      ['/equifax/count must be a whole number, 1 to 10'],
    ]),
  ];
  test.each(rows)('%s: told by its place, and no value', (_what, changes, faults) => {
    expect(faultsOf(changes)).toEqual(faults);
    expect(faults.join()).not.toContain('hush');
  });

  test('of two keys of which one is needed: one sentence', () => {
    expect(findSettingFaults(Account, withoutSender)).toEqual(['/from or /service is missing']);
  });

  test('a key cannot bring control characters or a page of text, and a flood of keys is told in part', () => {
    expect(faultsOf({ '\u001b[2J': '' })).toEqual(['/equifax/?[2J is not known']);
    const [long = ''] = faultsOf({ ['x'.repeat(5_000)]: '' });
    expect(long.length).toBeLessThan(120);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key-${index}`, '']));
    expect(faultsOf(many)).toHaveLength(20);
    expect(faultsOf(JSON.parse('{"__proto__": {"from": "hush"}}'))).toEqual(['/equifax/__proto__ is not known']);
  });
});
