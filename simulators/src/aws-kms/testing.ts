// For the tests beside the code: signs a request and sends it over a real socket, byte for byte as told.
import { request } from 'node:http';
import { CREDENTIALS } from '../credentials.ts';
import { canonicalRequest, type Scope, signatureOf, stringToSign, writeScope } from './sig-v4.ts';
import { amzDateOf, type KmsCredentials } from './verify.ts';

export type SignedWish = {
  readonly credentials?: KmsCredentials;
  readonly scope?: Partial<Scope>;
  readonly at?: Date;
  /** Further headers, which are signed too. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Left out of the signature. */
  readonly unsigned?: readonly string[];
  /** Changes the request after it was signed. */
  readonly tamper?: (sent: Sent) => Sent;
};

export type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

export type KmsAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Empty when the body is. */
  readonly json: Readonly<Record<string, unknown>>;
};

export async function callKms(url: string, action: string, fields: object, wish: SignedWish = {}): Promise<KmsAnswer> {
  const { tamper = (sent: Sent) => sent } = wish;
  const answer = await post(url, tamper(sign(url, action, JSON.stringify(fields), wish)));
  return { ...answer, json: answer.text === '' ? {} : (JSON.parse(answer.text) as KmsAnswer['json']) };
}

export function sign(url: string, action: string, body: string, wish: SignedWish = {}): Sent {
  const { at = new Date(), unsigned = [] } = wish;
  const credentials: KmsCredentials = wish.credentials ?? CREDENTIALS['aws-kms'];
  const amzDate = amzDateOf(at);
  const scope: Scope = { date: amzDate.slice(0, 8), region: 'eu-west-2', service: 'kms', ...wish.scope };
  const headers: Record<string, string> = {
    ...{ host: new URL(url).host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-date': amzDate },
    'x-amz-target': `TrentService.${action}`,
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
    ...wish.headers,
  };
  const names = Object.keys(headers).filter((name) => !unsigned.includes(name));
  const signable = {
    ...{ method: 'POST', path: '/', query: '', headerList: Object.entries(headers) },
    body: Buffer.from(body),
  };
  const text = stringToSign(amzDate, scope, canonicalRequest(signable, names));
  const signature = signatureOf(credentials.secretAccessKey, scope, text);
  const credential = `${credentials.accessKeyId}/${writeScope(scope)}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.toSorted().join(';')}, Signature=${signature}`;
  return { headers: { ...headers, authorization }, body };
}

export function post(url: string, { headers, body }: Sent): Promise<Omit<KmsAnswer, 'json'>> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.end(body);
  });
}
