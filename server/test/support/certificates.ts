// Certificates for localhost that sign themselves: good for so many days, or expired a day ago.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Certificate = { readonly key: Buffer; readonly cert: Buffer };

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const NAME = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];

/** -1 for one that has expired: openssl makes none that is older. */
export function makeCertificate(days: number): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'trefoil-certificate-'));
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  try {
    openssl('req', '-new', ...EC, ...NAME, '-keyout', 'key', '-out', 'request');
    const signed = ['-signkey', 'key', '-copy_extensions', 'copy', '-days', String(days)];
    openssl('x509', '-req', '-in', 'request', ...signed, '-out', 'cert');
    return { key: readFileSync(join(folder, 'key')), cert: readFileSync(join(folder, 'cert')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
