import { expect, test } from 'vitest';
import { userAgentFamily } from './user-agent-family.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const rows = [
  [undefined, null],
  ['', null],
  ['curl/8.5.0', 'Other'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome'],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge'],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera'],
  [`Mozilla/5.0 (Linux; Android 15) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0`, 'Samsung Internet'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox'],
  [`${PHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari'],
  [`${PHONE} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome'],
  [`${PHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'Firefox'],
  [`${PHONE} Mobile/15E148`, 'WebKit'],
  [`${'x'.repeat(100_000)} Firefox/140.0`, 'Other'],
] as const;
for (const [header, family] of rows) {
  test(`${header?.slice(-60)}: ${family}`, () => expect(userAgentFamily(header)).toBe(family));
}
