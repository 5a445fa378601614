// The signature against vectors of the suite that AWS publishes for Signature Version 4: hash of the canonical request
// (the last line of the string to sign) and signature.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalRequest, type Signable, signatureOf, stringToSign } from './sig-v4.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const AMZ_DATE = '20150830T123600Z';
const SCOPE = { date: '20150830', region: 'us-east-1', service: 'service' };
const UNRESERVED = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM_HASH = '9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e';

type Headers = readonly (readonly [string, string])[];

// Name in the suite, method and target, headers besides host and date, body, hash of the canonical request, signature.
const VECTORS: readonly (readonly [string, string, Headers, string, string, string])[] = [
  [
    'get-vanilla',
    'GET /',
    [],
    '',
    'bb579772317eb040ac9ed261061d46c1f17a8133879d6129b6e1c25292927e63',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'post-vanilla',
    'POST /',
    [],
    '',
    '553f88c9e4d10fc9e109e2aeb65f030801b70c2f6468faca261d401ae622fc87',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'get-unreserved',
    `GET /${UNRESERVED}`,
    [],
    '',
    '6a968768eefaa713e2a6b16b589a8ea192661f098f37349f4e2c0082757446f9',
    '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  ],
  [
    'get-vanilla-query-order-key-case',
    'GET /?Param2=value2&Param1=value1',
    [],
    '',
    '816cd5b414d056048ba4f7c5386d6e0533120fb1fcfa93762cf0fc39e2cf19e0',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-query-order-encoded',
    'GET /?Param-3=Value3&Param=Value2&%E1%88%B4=Value1',
    [],
    '',
    '868294f5c38bd141c4972a373a76654f1418a8e4fc18b2e7903ae45e8ae0ec71',
    '371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac',
  ],
  [
    'get-vanilla-query-unreserved',
    `GET /?${UNRESERVED}=${UNRESERVED}`,
    [],
    '',
    'c30d4703d9f799439be92736156d47ccfb2d879ddf56f5befa6d1d6aab979177',
    '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
  ],
  [
    'get-header-key-duplicate',
    'GET /',
    [
      ['My-Header1', 'value2'],
      ['My-Header1', 'value2'],
      ['My-Header1', 'value1'],
    ],
    '',
    'dc7f04a3abfde8d472b0ab1a418b741b7c67174dad1551b4117b15527fbe966c',
    'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  ],
  [
    'get-header-value-multiline',
    'GET /',
    [['My-Header1', 'value1\n  value2\n     value3']],
    '',
    'e99419459a677bc11de234014be3c4e72c1ea5b454ceb58b613061f5d7a162e8',
    'cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd',
  ],
  [
    'get-header-value-trim',
    'GET /',
    [
      ['My-Header1', ' value1'],
      ['My-Header2', ' "a   b   c"'],
    ],
    '',
    'a726db9b0df21c14f559d0a978e563112acb1b9e05476f0a6a1c7d68f28605c7',
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  [
    'post-header-value-case',
    'POST /',
    [['My-Header1', 'VALUE1']],
    '',
    'd51ced243e649e3de6ef63afbbdcbca03131a21a7103a1583706a64618606a93',
    'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  ],
  [
    'post-x-www-form-urlencoded-parameters',
    'POST /',
    [
      ['Content-Type', 'application/x-www-form-urlencoded; charset=utf-8'],
      ['Content-Length', '13'],
      ['x-amz-content-sha256', FORM_HASH],
    ],
    'Param1=value1',
    'a89f1a5b53e37702ee6363ce1da3ce8f54386f3c8f352ae652153c2982a0bc4d',
    '328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422',
  ],
  [
    'get-vanilla-with-session-token',
    'GET /',
    [['X-Amz-Security-Token', '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267']],
    '',
    '067b36aa60031588cea4a4cde1f21215227a047690c72247f1d70b32fbbfad2b',
    '07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8',
  ],
];

function requestOf(call: string, headers: Headers, body: string): Signable {
  const [method = '', target = ''] = call.split(' ');
  const [path = '', query = ''] = target.split('?');
  const headerList: Headers = [['Host', 'example.amazonaws.com'], ...headers, ['X-Amz-Date', AMZ_DATE]];
  return { method, path, query, headerList, body: Buffer.from(body) };
}

for (const [name, call, headers, body, hash, signature] of VECTORS) {
  test(`${name}: the canonical request and the signature are those of AWS`, () => {
    const request = requestOf(call, headers, body);
    const signed = [...new Set(request.headerList.map(([each]) => each.toLowerCase()))];
    const canonical = canonicalRequest(request, signed);
    expect(createHash('sha256').update(canonical).digest('hex')).toBe(hash);
    expect(signatureOf(SECRET, SCOPE, stringToSign(AMZ_DATE, SCOPE, canonical))).toBe(signature);
  });
}

test('the canonical request is written as the guide shows it', () => {
  const request = requestOf('GET /?Param2=value2&Param1=value1', [], '');
  expect(canonicalRequest(request, ['x-amz-date', 'host'])).toBe(
    [
      'GET',
      '/',
      'Param1=value1&Param2=value2',
      'host:example.amazonaws.com',
      `x-amz-date:${AMZ_DATE}`,
      '',
      'host;x-amz-date',
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ].join('\n'),
  );
});
