import { expect, test } from 'vitest';
import { costGrowth, GROWTH_MAX } from '../../../../tools/testing/cost-growth.ts';
import { isE164, mobileCountry, normalisePhone } from './phone.ts';

const rows = [
  // text, is E.164
  ['+447700900000', true], // the reserved range, both ends
  ['+447700900123', true],
  ['+447700900999', true],
  ['+447700901000', false], // just past it: not allocated either
  ['+4477009000', false],
  ['+4477009000000', false],
  ['+447911123456', true],
  ['+447624123456', true], // Isle of Man
  ['+442079460018', true], // a landline is still E.164
  ['+353851234567', true],
  ['+33612345678', true],
  ['+12025550123', true],
  ['+4407911123456', false], // the national zero kept
  ['07911123456', false],
  ['447911123456', false],
  ['00447911123456', false],
  ['++447911123456', false],
  ['+44 7911 123456', false],
  ['+44-7911-123456', false],
  ['+44(0)7911123456', false],
  ['+447911123456 ', false],
  [' +447911123456', false],
  ['+447911123456\n', false],
  ['+447911123456;ext=1', false],
  ['tel:+447911123456', false],
  ['+44791112345', false], // a digit short
  ['+4479111234567', false], // a digit long
  ['+999123456789', false], // no such country code
  ['+0447911123456', false],
  ['+1234567890123456', false], // over 15 digits
  ['+44791112345\uff16', false], // a full-width digit
  ['+', false],
  ['', false],
] as const;
for (const [text, expected] of rows) {
  test(`${JSON.stringify(text)} is ${expected ? '' : 'not '}E.164`, () => {
    expect(isE164(text)).toBe(expected);
  });
}

const countries = [
  // number, the country it is a mobile of
  ['+447700900000', 'GB'], // the reserved range counts as mobile, both ends
  ['+447700900999', 'GB'],
  ['+447400123456', 'GB'],
  ['+447911123456', 'GG'], // looks like a mainland number, but is Guernsey's
  ['+447624123456', 'IM'], // a mobile, but of the Isle of Man
  ['+447797712345', 'JE'],
  ['+447781123456', 'GG'],
  ['+442079460018', undefined], // a landline
  ['+441632960123', undefined],
  ['+448001111111', undefined], // freephone
  ['+449098790000', undefined], // premium rate
  ['+443069990000', undefined], // UK-wide
  ['+447012345678', undefined], // personal numbers look like mobiles and cost like premium ones
  ['+447640123456', undefined], // a pager
  ['+353851234567', 'IE'],
  ['+33612345678', 'FR'],
  ['+33142345678', undefined],
  ['+882161234567', undefined], // satellite
  ['+447700901000', undefined], // not allocated
  ['+999123456789', undefined],
  ['', undefined],
  ['not a number', undefined],
] as const;
for (const [number, country] of countries) {
  test(`${JSON.stringify(number)} is ${country ? `a mobile of ${country}` : 'no mobile'}`, () => {
    expect(mobileCountry(number)).toBe(country);
  });
}

const hostile = [`+${'1'.repeat(1e5)}`, '+'.repeat(1e5), `+44${' '.repeat(1e5)}`, `+447700900${'0'.repeat(1e5)}`];
for (const text of hostile) {
  test(`100 kB of ${JSON.stringify(text.slice(0, 12))} is refused, at a cost that grows with its length`, async () => {
    expect(isE164(text)).toBe(false);
    expect(await costGrowth(text, isE164)).toBeLessThanOrEqual(GROWTH_MAX);
  });
}

const spellings = [
  // as written, as kept
  ['+447700900123', '+447700900123'],
  ['+44 7700 900123', '+447700900123'],
  ['+44-7700-900-123', '+447700900123'],
  ['+44.7700.900123', '+447700900123'],
  ['+44 (7700) 900123', '+447700900123'],
  ['+44(0)7700900123', '+447700900123'],
  ['+44 (0) 7700 900 123', '+447700900123'],
  ['+44\u00a07700\u2011900\u2013123', '+447700900123'], // no-break space and hyphen, en dash
  ['+44 770(0) 900123', '+447700900123'], // a digit in brackets is a digit, away from the country code
  ['+44 (0)(0)7700 900123', '+4407700900123'], // one zero, and not two; the rest is no number
  ['07700 900123', '07700 900123'],
  ['(+44) 7700 900123', '(+44) 7700 900123'],
  ['+44 7700/900123', '+447700/900123'],
  ['+44\u200b7700900123', '+44\u200b7700900123'],
  [`+44${' '.repeat(48)}7`, `+44${' '.repeat(48)}7`], // longer than any number
] as const;
for (const [written, kept] of spellings) {
  test(`${JSON.stringify(written)} is kept as ${JSON.stringify(kept)}`, () => {
    expect(normalisePhone(written)).toBe(kept);
  });
}
