// The vectors are those of the "Signature Version 4 test suite" that AWS publishes.
import { expect, test } from 'vitest';
import { awsInstant, signForAws } from './sign-aws.ts';

const account = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const place = { region: 'us-east-1', service: 'service', at: new Date('2015-08-30T12:36:00Z') };
const host = { host: 'example.amazonaws.com' };
const TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';

const vectors = [
  ['get-vanilla', 'GET', {}, '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['post-vanilla', 'POST', {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'post-header-key-sort',
    'POST',
    { 'My-Header1': 'value1' },
    '',
    'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  ],
  [
    'post-x-www-form-urlencoded',
    'POST',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    'Param1=value1',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
] as const;
test.each(vectors)('%s', (_name, method, more, body, signature) => {
  const headers = { ...host, ...more };
  const signed = signForAws({ method, path: '/', headers, body }, account, place);
  expect(signed['authorization']).toMatch(new RegExp(`Signature=${signature}$`));
  expect(signed['x-amz-date']).toBe('20150830T123600Z');
});

test('post-sts-header-before: the token of a session is signed with the rest', () => {
  const request = { method: 'POST', path: '/', headers: host, body: '' };
  const signed = signForAws(request, { ...account, sessionToken: TOKEN }, place);
  expect(signed['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
      'SignedHeaders=host;x-amz-date;x-amz-security-token, ' +
      'Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  );
});

test('one changed byte of the body is another signature', () => {
  const of = (body: string) =>
    signForAws({ method: 'POST', path: '/', headers: host, body }, account, place)['authorization'];
  expect(of('{"a":1}')).not.toBe(of('{"a":2}'));
});

test('the instant has no fraction and no punctuation', () => {
  expect(awsInstant(new Date('2026-11-17T01:02:03.456Z'))).toBe('20261117T010203Z');
});
