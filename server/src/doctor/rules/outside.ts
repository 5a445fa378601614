// What is reached over the network: the base address, its certificate, Redis, the mail server, the carrier, the bureaus.
import { duration, type Finding, fail, ok, plural, warn } from './finding.ts';

const PROXY = 'docs/operate/deploy.md#tls-and-proxy';

/** What an error of the network or of the database means, by its code. Its message may quote values and is not told. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'breaks the connection off',
  EPIPE: 'breaks the connection off',
  ETIMEDOUT: 'does not answer in time',
  ABORT_ERR: 'does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer in time',
  UND_ERR_SOCKET: 'breaks the connection off',
  ENOTFOUND: 'has a name that is not known',
  EAI_AGAIN: 'has a name that cannot be looked up now',
  EDNS: 'has a name that is not known',
  EHOSTUNREACH: 'cannot be reached from this machine',
  ENETUNREACH: 'cannot be reached from this machine',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an authority that is not known here (NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate of an authority that is not known here (NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate of an authority that is not known here (NODE_EXTRA_CA_CERTS)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS',
  ESOCKET: 'refuses connections or breaks them off',
  ECONNECTION: 'refuses connections or breaks them off',
  EAUTH: 'refuses the log-in',
  ETLS: 'offers no encryption',
  WRONGPASS: 'refuses the log-in',
  NOAUTH: 'asks for a log-in, and the address has none',
  '28P01': 'refuses the password',
  '28000': 'refuses the role',
  '3D000': 'does not have the database of the address',
  '42501': 'refuses: the role lacks a permission',
  '53300': 'has no free connection',
  '55P03': 'is held up by a lock',
  '57014': 'takes too long',
  '57P03': 'is starting or stopping',
};

/** An end of a sentence: `refuses connections`. */
export const meaningOf = (code: string): string => MEANINGS[code] ?? `fails (${code})`;

export type ReadyAnswer = { readonly status: number; readonly isOurs: boolean };

export function judgeBaseAddress(isHttps: boolean, isDevelopment: boolean, { status, isOurs }: ReadyAnswer): Finding {
  const see = 'docs/operate/runbook.md#alerts';
  if (!isOurs) {
    return fail(
      `The base address answers ${status}, and not as a node does.`,
      'Does it lead to the nodes? Send /readyz through the proxy.',
      PROXY,
    );
  }
  if (status !== 200) {
    return fail(
      `The node behind the base address is not ready (${status}).`,
      'The database, the schema or the queue of that node: see the other checks.',
      see,
    );
  }
  if (!isHttps && !isDevelopment) {
    return warn('The base address is not https.', 'Put a proxy with TLS in front of the nodes.', PROXY);
  }
  return ok('A node answers through the base address and is ready.');
}

/** How a connection was made. `fault` is the code of what is wrong with the certificate. */
export type Line =
  | { readonly kind: 'plain' }
  | { readonly kind: 'tls'; readonly validTo: Date; readonly fault: string | undefined };

const CERTIFICATE_WARN_DAYS = 14;
const DAY_MS = 86_400_000;

/** Undefined where nothing is wrong with the certificate. */
function judgeLine(name: string, line: Line, now: Date, see: string): Finding | undefined {
  if (line.kind === 'plain') return undefined;
  const renew = 'Renew it; an automatic renewal has failed.';
  const leftMs = line.validTo.getTime() - now.getTime();
  if (leftMs <= 0) return fail(`The certificate of ${name} expired ${duration(-leftMs / 1_000)} ago.`, renew, see);
  if (line.fault !== undefined) {
    return fail(`${name} ${meaningOf(line.fault)}.`, 'Correct the certificate, its chain or the name.', see);
  }
  const days = Math.floor(leftMs / DAY_MS);
  return days < CERTIFICATE_WARN_DAYS
    ? warn(`The certificate of ${name} expires in ${plural(days, 'day')}.`, renew, see)
    : undefined;
}

export function judgeCertificate(line: Line, now: Date): Finding {
  const found = judgeLine('the base address', line, now, PROXY);
  if (found || line.kind === 'plain') return found ?? ok('There is none: the base address is not https.');
  const days = Math.floor((line.validTo.getTime() - now.getTime()) / DAY_MS);
  return ok(`It is trusted here and valid for ${plural(days, 'more day')}.`);
}

/** Of another company: the connection alone, nothing was asked. */
export function judgeProvider(name: string, line: Line, now: Date, see: string): Finding {
  const how = line.kind === 'tls' ? 'a connection with TLS' : 'a connection without TLS';
  return judgeLine(name, line, now, see) ?? ok(`${name} accepts ${how}. Nothing was asked.`);
}

export function judgeRedis(answeredMs: number, timeoutMs: number): Finding {
  const told = `Redis answers in ${Math.round(answeredMs)} ms`;
  return answeredMs > timeoutMs
    ? warn(
        `${told}; nodes wait ${timeoutMs} ms and then judge limits alone.`,
        'Find out why it is slow, or raise TREFOIL_REDIS_TIMEOUT_MS.',
        'docs/operate/runbook.md#redis-is-down',
      )
    : ok(`${told}.`);
}

/** `not-offered`: a log-in is set and the server does not ask for one. */
export function judgeMail(greeting: 'logged-in' | 'no-log-in' | 'not-offered'): Finding {
  const greets = 'The mail server greets and encrypts where it must';
  if (greeting === 'not-offered') {
    return warn(
      `${greets}, but offers no log-in: mail is sent to it without the one in TREFOIL_MAIL. No mail was sent now.`,
      'Is it the right server and port (587, or smtps with 465)?',
      'docs/operate/configuration.md#mail',
    );
  }
  return greeting === 'logged-in'
    ? ok(`${greets}, and accepts the log-in. No mail was sent.`)
    : ok(`${greets}. TREFOIL_MAIL has no log-in, so none was tried. No mail was sent.`);
}
