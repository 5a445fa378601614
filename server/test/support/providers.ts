// What a test has the simulated providers of a live server do, and what they saw.
import { expect } from 'vitest';
import { createKeyedHash } from '../../src/lib/crypto/keyed-hash.ts';
import type { LiveServer } from './live.ts';
import { BUREAUS } from './words.ts';

export type Provider = (typeof BUREAUS)[number] | 'screening' | 'carrier';

const postJson = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** A rule: which calls it meets, how the provider behaves then, and how often. */
export async function control(server: LiveServer, provider: Provider, rule: object): Promise<void> {
  const response = await postJson(`${server.providers.addresses[provider]}/control`, rule);
  expect(response.status).toBe(201);
}

/** Makes these providers behave so for everybody of this name. */
export async function spoil(
  server: LiveServer,
  lastName: string,
  behaviour: string,
  providers: readonly Provider[] = BUREAUS,
): Promise<void> {
  for (const provider of providers) await control(server, provider, { match: { lastName }, behaviour });
}

/** Lets the answers go that a rule `held=<last name>` holds. */
export const release = (server: LiveServer, lastName: string, provider: Provider) =>
  control(server, provider, { release: lastName });

/** How often each bureau was asked about this report. */
export async function askedTimes(server: LiveServer, creditReportId: string): Promise<number[]> {
  return Promise.all(BUREAUS.map(async (bureau) => (await server.enquiries(bureau)).get(creditReportId) ?? 0));
}

/** The carrier sends a receipt for a message, so many times at once. Returns what the service answered. */
export async function sendReceipt(server: LiveServer, sendId: string, status: string, times = 1): Promise<number[]> {
  const response = await postJson(`${server.providers.addresses.carrier}/control/receipts`, { sendId, status, times });
  return ((await response.json()) as { answers: number[] }).answers;
}

/** Under which the service counts the uses of a number. */
export const hashOfMobile = (server: LiveServer, to: string) =>
  createKeyedHash(server.config.hashKeys[0].key, 'mobile')(to);
