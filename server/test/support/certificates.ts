// Certificates for tests: for localhost and signed by themselves, or issued by an authority of the test's own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Both as PEM. */
export type Certificate = { readonly key: Buffer; readonly cert: Buffer };

export type CertificateOrder = {
  readonly name: string;
  /** As lines of an OpenSSL configuration. */
  readonly extensions: readonly string[];
  /** -1 for one that has expired: openssl makes none that is older. */
  readonly days?: number;
  /** A new one unless told. */
  readonly key?: string | Buffer;
};

/** Signed by itself where there is no authority. */
export function issue(authority: Certificate | undefined, order: CertificateOrder): Certificate {
  const { name, extensions, days = 1, key } = order;
  const folder = mkdtempSync(join(tmpdir(), 'trefoil-certificate-'));
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  const write = (file: string, content: string | Buffer) => writeFileSync(join(folder, file), content);
  try {
    write('extensions', extensions.join('\n'));
    if (key) write('key', key);
    else openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'key');
    if (authority) {
      write('authority-key', authority.key);
      write('authority-cert', authority.cert);
    }
    const signer = authority
      ? ['-CA', 'authority-cert', '-CAkey', 'authority-key', '-CAcreateserial']
      : ['-signkey', 'key'];
    openssl('req', '-new', '-key', 'key', '-subj', `/CN=${name}`, '-out', 'request');
    const signed = [...signer, '-extfile', 'extensions', '-days', String(days)];
    openssl('x509', '-req', '-in', 'request', ...signed, '-out', 'cert');
    return { key: readFileSync(join(folder, 'key')), cert: readFileSync(join(folder, 'cert')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const makeAuthority = () =>
  issue(undefined, { name: 'Authority of a test', extensions: ['basicConstraints=critical,CA:TRUE'] });

export const makeCertificate = (days: number) =>
  issue(undefined, { name: 'localhost', extensions: ['subjectAltName=DNS:localhost'], days });
