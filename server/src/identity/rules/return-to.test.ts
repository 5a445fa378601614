import { expect, test } from 'vitest';
import { checkReturnTo, isOnTheWay } from './return-to.ts';

const good = ['/', '/v1/auth/account', '/v1/auth/security?tab=1', '/docs#tag/Account', '/a%20b', '/v1/auth/loginpage'];
for (const path of good) {
  test(`${path} is a place to come back to`, () => expect(checkReturnTo(path)).toBe(path));
}

const bad = [
  '',
  'https://example.com/',
  'javascript:alert(1)',
  '//example.com',
  '///example.com',
  '/\\example.com',
  '\\/example.com',
  '/\t/example.com',
  '/\n/example.com',
  ' /v1/auth/account',
  '/%2fexample.com',
  '/%2Fexample.com',
  '/%5cexample.com',
  '/%252fexample.com',
  '/%09/example.com',
  '/%0A%5cexample.com',
  '/%250d/example.com',
  '/.//example.com',
  '/..//example.com',
  '/%2e%2e//example.com',
  '/a/..//example.com',
  '/a/../..',
  '/ä',
  '/v1/auth/login',
  '/v1/auth/login?returnTo=/',
  '/v1/auth/callback?code=x',
  '/v1/auth/logout',
  '/v1/oauth/authorize?client_id=x',
  `/${'x'.repeat(1_024)}`,
];
for (const path of bad) {
  test(`${JSON.stringify(path.slice(0, 40))} is refused`, () => expect(checkReturnTo(path)).toBeUndefined());
}

test('what is let through stays on our origin however a browser reads it', () => {
  for (const path of good) expect(new URL(path, 'https://api.example.com').origin).toBe('https://api.example.com');
});

test('a sign-in without a required second factor leads to the security page, unless it leads to a step on the way there', () => {
  const steps = [
    '/v1/auth/first-factor/x',
    '/v1/auth/security',
    '/v1/auth/invitations/x',
    '/v1/auth/accounting',
    '/console/confirmed',
  ];
  expect(steps.filter((path) => !isOnTheWay(path))).toEqual([]);
  expect(
    ['/console', '/console/confirmed-not', '/', '/v1/auth/account', '/v1/auth/account?joined=x'].filter(isOnTheWay),
  ).toEqual([]);
});
