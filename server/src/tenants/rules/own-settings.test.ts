import { expect, test } from 'vitest';
import { toHost } from './otp-host.ts';
import { type Agreed, judgeSettings } from './own-settings.ts';

const DEFAULTS: Agreed = {
  smsCountries: ['GB'],
  smsDailyCredits: null,
  smsDailyMessages: null,
  smsMinuteMessages: null,
};
const LARGER: Agreed = {
  smsCountries: ['GB', 'IE'],
  smsDailyCredits: 100_000,
  smsDailyMessages: 2_500,
  smsMinuteMessages: 0,
};

const judged: [Agreed, Parameters<typeof judgeSettings>[1], string[]][] = [
  [DEFAULTS, { smsDailyMessages: 1_000, smsDailyCredits: 40_000, smsMinuteMessages: 60 }, []],
  [DEFAULTS, { smsDailyMessages: 1_001 }, ['/smsDailyMessages']],
  [DEFAULTS, { smsDailyCredits: 40_001, smsMinuteMessages: 61 }, ['/smsDailyCredits', '/smsMinuteMessages']],
  [DEFAULTS, { smsDailyMessages: null, smsDailyCredits: null, smsMinuteMessages: null, smsCountries: null }, []],
  [DEFAULTS, { smsCountries: ['GB', 'IE', 'US'] }, ['/smsCountries/1', '/smsCountries/2']],
  [LARGER, { smsDailyMessages: 2_500, smsDailyCredits: 100_000, smsMinuteMessages: 0, smsCountries: ['IE'] }, []],
  [LARGER, { smsDailyMessages: 2_501, smsMinuteMessages: 1 }, ['/smsDailyMessages', '/smsMinuteMessages']],
  [LARGER, { otpHost: 'two words', smsCountries: ['FR'] }, ['/smsCountries/0', '/otpHost']],
  [LARGER, { otpHost: null, displayName: null, lowBalanceCredits: null, retentionDays: 0 }, []],
];
for (const [agreed, wanted, faults] of judged) {
  test(`${JSON.stringify(wanted)} within ${JSON.stringify(agreed)}: ${faults.join(' ') || 'fits'}`, () => {
    const verdict = judgeSettings(agreed, wanted);
    expect(verdict.kind === 'faulty' ? verdict.faults.map(({ path }) => path) : []).toEqual(faults);
  });
}

test('a host is stored in lower case', () => {
  expect(judgeSettings(DEFAULTS, { otpHost: 'Claims.Example.com' })).toEqual({
    kind: 'fits',
    changes: { otpHost: 'claims.example.com' },
  });
});

for (const [given, host] of [
  ['claims.example.com', 'claims.example.com'],
  ['example.co', 'example.co'],
  ['localhost', undefined],
  ['192.0.2.1', undefined],
  ['-a.example.com', undefined],
  ['a..example.com', undefined],
  ['https://example.com', undefined],
  ['example.com:443', undefined],
  ['example.com\n@x', undefined],
  ['ü.example.com', undefined],
  [`${'a'.repeat(49)}.example.co`, `${'a'.repeat(49)}.example.co`],
  [`${'a'.repeat(50)}.example.co`, undefined],
] as const) {
  test(`host ${JSON.stringify(given)}: ${host ?? 'none'}`, () => {
    expect(toHost(given)).toBe(host);
  });
}
