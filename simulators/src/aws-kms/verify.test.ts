// Which requests count as signed: every change after signing is refused, with the error AWS gives for it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CREDENTIALS } from '../credentials.ts';
import type { RunningKeyServer } from '../key-wire/server.ts';
import { startAwsKms } from './server.ts';
import { callKms, post, type SignedWish, sign } from './testing.ts';

let kms: RunningKeyServer;

beforeAll(async () => {
  kms = await startAwsKms({ port: 0 });
});
afterAll(() => kms.close());

const MINUTE_MS = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms);

async function refusalOf(wish: SignedWish): Promise<readonly unknown[]> {
  const { status, json } = await callKms(kms.url, 'CreateKey', { Description: 'one' }, wish);
  return [status, json['__type'], json['message']];
}

test('200: a signed request, also four minutes old, four ahead, and with spaces in a header', async () => {
  for (const wish of [
    {},
    { at: ago(4 * MINUTE_MS) },
    { at: ago(-4 * MINUTE_MS) },
    { headers: { 'x-amz-note': '  two   words ', 'amz-sdk-request': 'attempt=1' } },
    { unsigned: ['content-type'] },
  ])
    expect((await callKms(kms.url, 'CreateKey', {}, wish)).status).toBe(200);
});

const changed = (headers: Readonly<Record<string, string>>): SignedWish => ({
  tamper: (sent) => ({ ...sent, headers: { ...sent.headers, ...headers } }),
});
const mismatch = expect.stringContaining('does not match the signature you provided');

const REFUSALS: readonly (readonly [string, SignedWish, string, unknown])[] = [
  [
    'a changed body',
    { tamper: ({ headers, body }) => ({ headers, body: body.replace('one', 'two') }) },
    'InvalidSignatureException',
    mismatch,
  ],
  ['a changed action', changed({ 'x-amz-target': 'TrentService.ListAliases' }), 'InvalidSignatureException', mismatch],
  ['a changed content type', changed({ 'content-type': 'application/json' }), 'InvalidSignatureException', mismatch],
  ['a changed host', changed({ host: 'kms.eu-west-2.example.com' }), 'InvalidSignatureException', mismatch],
  [
    'a further x-amz header',
    changed({ 'x-amz-more': '1' }),
    'InvalidSignatureException',
    expect.stringContaining('x-amz-more'),
  ],
  [
    'an unsigned host',
    { unsigned: ['host'] },
    'InvalidSignatureException',
    expect.stringContaining("'Host' must be a 'SignedHeader'"),
  ],
  [
    'an unsigned action',
    { unsigned: ['x-amz-target'] },
    'InvalidSignatureException',
    expect.stringContaining('x-amz-target'),
  ],
  [
    'another secret',
    { credentials: { ...CREDENTIALS['aws-kms'], secretAccessKey: 'another' } },
    'InvalidSignatureException',
    mismatch,
  ],
  [
    'an unknown access key',
    { credentials: { ...CREDENTIALS['aws-kms'], accessKeyId: 'AKIDUNKNOWN000000000' } },
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
  ],
  [
    'a session token of nobody',
    { credentials: { ...CREDENTIALS['aws-kms'], sessionToken: 'unknown' } },
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
  ],
  [
    'six minutes old',
    { at: ago(6 * MINUTE_MS) },
    'InvalidSignatureException',
    expect.stringMatching(
      /^Signature expired: \d{8}T\d{6}Z is now earlier than \d{8}T\d{6}Z \(\d{8}T\d{6}Z - 5 min\.\)$/,
    ),
  ],
  [
    'six minutes ahead',
    { at: ago(-6 * MINUTE_MS) },
    'InvalidSignatureException',
    expect.stringMatching(/^Signature not yet current: .* \+ 5 min\.\)$/),
  ],
  [
    'another region',
    { scope: { region: 'us-east-1' } },
    'InvalidSignatureException',
    expect.stringContaining('valid region'),
  ],
  [
    'another service',
    { scope: { service: 's3' } },
    'InvalidSignatureException',
    expect.stringContaining("correct service: 'kms'"),
  ],
  [
    'a scope of another day',
    { scope: { date: '20150830' } },
    'InvalidSignatureException',
    expect.stringContaining('Date in Credential scope'),
  ],
  [
    'another algorithm',
    changed({ authorization: 'AWS4-HMAC-SHA1 Credential=a' }),
    'IncompleteSignatureException',
    expect.stringContaining('algorithm'),
  ],
  [
    'no signature',
    changed({ authorization: 'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host' }),
    'IncompleteSignatureException',
    expect.stringContaining("requires 'Signature'"),
  ],
  ['a date that is none', changed({ 'x-amz-date': 'today' }), 'IncompleteSignatureException', expect.anything()],
];

for (const [name, wish, type, message] of REFUSALS) {
  test(`400 ${type}: ${name}`, async () => {
    expect(await refusalOf(wish)).toEqual([400, type, message]);
  });
}

test('400 MissingAuthenticationTokenException: no signature at all, and nothing is made', async () => {
  const { authorization: _, ...headers } = sign(kms.url, 'CreateKey', '{}').headers;
  const before = await (await fetch(`${kms.url}/control/keys`)).text();
  const { status, text } = await post(kms.url, { headers, body: '{}' });
  expect([status, JSON.parse(text)]).toEqual([
    400,
    { __type: 'MissingAuthenticationTokenException', message: expect.any(String) },
  ]);
  expect(await (await fetch(`${kms.url}/control/keys`)).text()).toBe(before);
});

test('temporary credentials: the session token must come along and be signed', async () => {
  const credentials = { accessKeyId: 'ASIASIMULATOR0000001', secretAccessKey: 'temporary', sessionToken: 'a/b+c==' };
  const other = await startAwsKms({ port: 0, credentials, region: 'eu-west-1' });
  const wish = { credentials, scope: { region: 'eu-west-1' } };
  const statuses = [
    await callKms(other.url, 'CreateKey', {}, wish),
    await callKms(other.url, 'CreateKey', {}, { ...wish, unsigned: ['x-amz-security-token'] }),
    await callKms(other.url, 'CreateKey', {}, { ...wish, credentials: { ...credentials, sessionToken: 'old' } }),
  ].map(({ status, json }) => [status, json['__type']]);
  await other.close();
  expect(statuses).toEqual([
    [200, undefined],
    [400, 'InvalidSignatureException'],
    [400, 'UnrecognizedClientException'],
  ]);
});
