// The operator's changes to the applications that sign people in.
import { randomBytes } from 'node:crypto';
import { newId } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { hashSecret } from '../credentials/change-credential.ts';
import { insertApp } from './app-store.ts';

export { findApp, listApps, type OAuthApp, updateAppEnabled as enableApp } from './app-store.ts';

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Accepts https, or plain http to the person's own machine. Not normalised, since it is later compared exactly. */
export function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  // A fragment would swallow the authorization response. Credentials belong in no address.
  if (text.includes('#') || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

export type AppOrder = {
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** A public application runs on people's machines, cannot keep a secret and gets none. */
  readonly isPublic: boolean;
};

export async function createOAuthApp(
  tx: Tx,
  order: AppOrder,
): Promise<{ clientId: string; clientSecret: string | undefined }> {
  const clientId = newId();
  const clientSecret = order.isPublic ? undefined : `tfs_${randomBytes(32).toString('base64url')}`;
  const secretHash = clientSecret === undefined ? null : hashSecret(clientSecret);
  await insertApp(tx, { id: clientId, name: order.name, redirectUris: order.redirectUris, secretHash });
  return { clientId, clientSecret };
}
