// Secrets and signatures by the Standard Webhooks specification: `whsec_` and 32 random bytes in base64; HMAC-SHA256 over
// id, timestamp and body. During a rotation a message carries one signature for each secret.
import { createHmac, randomBytes } from 'node:crypto';
import { VERSION } from '../lib/version.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = () => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

/** The headers of a message that are the same in every attempt. */
export const messageHeaders = (id: string) => ({
  'content-type': 'application/json',
  'user-agent': `Trefoil-Webhooks/${VERSION}`,
  'webhook-id': id,
});

export const timeHeader = (sentAt: Date) => ({ 'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)) });

export type SignedMessage = { readonly id: string; readonly body: string; readonly sentAt: Date };

/** The headers of one attempt. The newest secret comes first. */
export function signedHeaders({ id, body, sentAt }: SignedMessage, secrets: readonly string[]) {
  const sent = timeHeader(sentAt);
  const text = `${id}.${sent['webhook-timestamp']}.${body}`;
  return {
    ...messageHeaders(id),
    ...sent,
    'webhook-signature': secrets.map((secret) => sign(secret, text)).join(' '),
  };
}
