// AWS Signature Version 4 for requests with a body and no query, as the JSON services of AWS take them. Tested with the
// vectors that AWS publishes. Our own because a signature is a page of code, and the official client is 24 packages
// (docs/decisions/0258-a-key-service.md).
import { createHash, createHmac } from 'node:crypto';

export type AwsAccount = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
};

export type UnsignedRequest = {
  readonly method: string;
  /** Already encoded, without a query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** As `20150830T123600Z`. */
export const awsInstant = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** The headers to send: the given ones, which must include `host`, the instant, the session's token and the signature. */
export function signForAws(
  { method, path, headers, body }: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsAccount,
  { region, service, at }: { readonly region: string; readonly service: string; readonly at: Date },
): Record<string, string> {
  const instant = awsInstant(at);
  const day = instant.slice(0, 8);
  const signed = {
    ...headers,
    'x-amz-date': instant,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const lines = Object.entries(signed)
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = lines.map(([name]) => name).join(';');
  const canonical = [method, path, '', ...lines.map((line) => line.join(':')), '', names, sha256(body)].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', instant, scope, sha256(canonical)].join('\n');
  const key = [region, service, 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secretAccessKey}`, day));
  const signature = hmac(key, toSign).toString('hex');
  return {
    ...signed,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
