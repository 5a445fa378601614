// Decides whether a request is signed by the one known caller. Every refusal is the error that AWS gives for it.
import type { KeyCall } from '../key-wire/wire.ts';
import { KmsError } from './errors.ts';
import { ALGORITHM, canonicalRequest, type Scope, signatureOf, stringToSign, TERMINATOR } from './sig-v4.ts';

export type KmsCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials: every request must then carry it, signed. */
  readonly sessionToken?: string;
};

export type Verifier = { readonly credentials: KmsCredentials; readonly region: string };

const SERVICE = 'kms';
const SKEW_MAX_MS = 5 * 60_000;

type Authorization = {
  readonly credential: readonly string[];
  readonly signedHeaders: readonly string[];
  readonly signature: string;
};

export function verify(call: KeyCall, { credentials, region }: Verifier, now: Date): void {
  const { credential, signedHeaders, signature } = readAuthorization(call);
  const amzDate = readDate(call);
  const [accessKeyId, date = '', ...place] = credential;
  if (accessKeyId !== credentials.accessKeyId || call.headers['x-amz-security-token'] !== credentials.sessionToken)
    throw new KmsError('UnrecognizedClientException', 'The security token included in the request is invalid.');
  checkScope(date, place, { amzDate, region });
  checkSignedHeaders(call, signedHeaders);
  checkAge(amzDate, now);
  const scope: Scope = { date, region, service: SERVICE };
  const canonical = canonicalRequest(call, signedHeaders);
  const text = stringToSign(amzDate, scope, canonical);
  if (signatureOf(credentials.secretAccessKey, scope, text) === signature) return;
  throw refusal(
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.' +
      `\n\nThe Canonical String for this request should have been\n'${canonical}'\n\nThe String-to-Sign should have been\n'${text}'\n`,
  );
}

const refusal = (message: string) => new KmsError('InvalidSignatureException', message);

function readAuthorization({ headers }: KeyCall): Authorization {
  const text = headers['authorization'];
  if (text === undefined)
    throw new KmsError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  const [algorithm = '', rest = ''] = text.split(/\s+(.*)/s, 2);
  if (algorithm !== ALGORITHM)
    throw new KmsError('IncompleteSignatureException', `Unsupported AWS 'algorithm': '${algorithm}'.`);
  const parts = new Map(rest.split(',').map((part) => part.trim().split(/=(.*)/s, 2) as [string, string]));
  const missing = ['Credential', 'Signature', 'SignedHeaders'].filter((name) => !parts.get(name));
  if (missing.length > 0) {
    const needs = missing.map((name) => `Authorization header requires '${name}' parameter.`).join(' ');
    throw new KmsError('IncompleteSignatureException', `${needs} Authorization=${algorithm}`);
  }
  return {
    credential: (parts.get('Credential') ?? '').split('/'),
    signedHeaders: (parts.get('SignedHeaders') ?? '').split(';'),
    signature: parts.get('Signature') ?? '',
  };
}

function readDate({ headers }: KeyCall): string {
  const amzDate = headers['x-amz-date'];
  if (amzDate === undefined) {
    const needs = "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.";
    throw new KmsError('IncompleteSignatureException', needs);
  }
  if (!/^\d{8}T\d{6}Z$/.test(amzDate) || Number.isNaN(instantOf(amzDate)))
    throw new KmsError('IncompleteSignatureException', `Date must be in ISO-8601 'basic format'. Got '${amzDate}'.`);
  return amzDate;
}

type Place = { readonly amzDate: string; readonly region: string };

function checkScope(date: string, [region, service, terminator]: readonly string[], expected: Place): void {
  const { amzDate } = expected;
  const day = amzDate.slice(0, 8);
  if (terminator !== TERMINATOR)
    throw refusal(`Credential should be scoped with a valid terminator: '${TERMINATOR}', not '${terminator}'.`);
  if (region !== expected.region) throw refusal('Credential should be scoped to a valid region. ');
  if (service !== SERVICE) throw refusal(`Credential should be scoped to correct service: '${SERVICE}'. `);
  if (date !== day)
    throw refusal(
      `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${date}' != '${day}', from '${amzDate}'.`,
    );
}

/** The host and every x-amz- header must be signed. */
function checkSignedHeaders({ headers }: KeyCall, signed: readonly string[]): void {
  if (!signed.includes('host')) throw refusal("'Host' must be a 'SignedHeader' in the AWS Authorization.");
  const unsigned = Object.keys(headers).find((name) => name.startsWith('x-amz-') && !signed.includes(name));
  if (unsigned !== undefined) throw refusal(`'${unsigned}' must be a 'SignedHeader' in the AWS Authorization.`);
}

function checkAge(amzDate: string, now: Date): void {
  const aheadMs = instantOf(amzDate) - now.getTime();
  const limit = (ms: number) => amzDateOf(new Date(now.getTime() + ms));
  if (aheadMs < -SKEW_MAX_MS)
    throw refusal(
      `Signature expired: ${amzDate} is now earlier than ${limit(-SKEW_MAX_MS)} (${amzDateOf(now)} - 5 min.)`,
    );
  if (aheadMs > SKEW_MAX_MS)
    throw refusal(
      `Signature not yet current: ${amzDate} is still later than ${limit(SKEW_MAX_MS)} (${amzDateOf(now)} + 5 min.)`,
    );
}

/** `20150830T123600Z` */
export const amzDateOf = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '');

const instantOf = (amzDate: string) =>
  Date.parse(amzDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
