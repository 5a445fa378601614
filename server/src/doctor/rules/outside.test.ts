import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  judgeBaseAddress,
  judgeCertificate,
  judgeMail,
  judgeProvider,
  judgeRedis,
  type Line,
  meaningOf,
} from './outside.ts';

const NOW = new Date('2026-11-16T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const tls = (days: number, fault?: string): Line => ({ kind: 'tls', validTo: inDays(days), fault });

const ADDRESSES = [
  // https, development, status, a node's answer, expected
  [true, false, 200, true, 'ok', 'is ready'],
  [true, false, 503, true, 'fail', 'not ready (503)'],
  [true, false, 200, false, 'fail', 'not as a node does'],
  [true, false, 301, false, 'fail', 'answers 301'],
  [false, false, 200, true, 'warn', 'not https'],
  [false, true, 200, true, 'ok', 'is ready'],
] as const;
for (const [isHttps, isDevelopment, status, isOurs, expected, told] of ADDRESSES) {
  test(`base address ${status}, https ${isHttps}, ours ${isOurs}: ${expected}`, () => {
    const finding = judgeBaseAddress(isHttps, isDevelopment, { status, isOurs });
    expect(finding.status).toBe(expected);
    expect(finding.reason).toContain(told);
  });
}

const CERTIFICATES = [
  [tls(90), 'ok', '90 more days'],
  [tls(14), 'ok', '14 more days'],
  [tls(13.9), 'warn', 'expires in 13 days'],
  [tls(-3, 'CERT_HAS_EXPIRED'), 'fail', 'expired 3 days ago'],
  [tls(90, 'ERR_TLS_CERT_ALTNAME_INVALID'), 'fail', 'another name'],
  [tls(90, 'DEPTH_ZERO_SELF_SIGNED_CERT'), 'fail', 'signed itself'],
] as const;
for (const [line, status, told] of CERTIFICATES) {
  test(`certificate ${JSON.stringify(line)}: ${status}`, () => {
    const finding = judgeCertificate(line, NOW);
    expect(finding.status).toBe(status);
    expect(finding.reason).toContain(told);
    expect(judgeProvider('The carrier', line, NOW, 'x').status).toBe(status);
  });
}

test('a provider without TLS is reached, and the answer says so; Redis may be slow', () => {
  expect(judgeProvider('The carrier', { kind: 'plain' }, NOW, 'x').reason).toContain('without TLS');
  expect(judgeRedis(3, 100).status).toBe('ok');
  expect(judgeRedis(101, 100).status).toBe('warn');
});

test('mail: a log-in is praised only where one happened', () => {
  expect(judgeMail('logged-in').reason).toContain('accepts the log-in');
  expect(judgeMail('no-log-in')).toMatchObject({ status: 'ok', reason: expect.not.stringContaining('accepts') });
  expect(judgeMail('not-offered')).toMatchObject({
    status: 'warn',
    reason: expect.stringContaining('offers no log-in'),
  });
});

test('a code that is not known is told as it is', () => {
  expect(meaningOf('ECONNREFUSED')).toBe('refuses connections');
  expect(meaningOf('XX000')).toBe('fails (XX000)');
});

/** As GitHub and the documentation site make them. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-');

test('every section that a finding names exists', () => {
  const folder = new URL('../', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!test)\.ts$/.test(name),
  );
  const text = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const constants = new Map(
    [...text.matchAll(/const (\w+) = '(docs\/[\w/.-]+)';/g)].map(([, name, path]) => [name, path]),
  );
  const written = text.replaceAll(/\$\{(\w+)\}#/g, (whole, name) =>
    constants.has(name) ? `${constants.get(name)}#` : whole,
  );
  const links = new Set([...written.matchAll(/docs\/operate\/[\w-]+\.md(#[\w-]+)?/g)].map(([link]) => link));
  expect(links.size).toBeGreaterThan(15);
  for (const link of links) {
    const [path = '', anchor] = link.split('#');
    const document = readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
    const anchors = [...document.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
    if (anchor !== undefined) expect(anchors, link).toContain(anchor);
  }
});
