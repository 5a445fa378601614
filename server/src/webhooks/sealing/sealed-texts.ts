// The sealed texts of webhooks, each bound to its tenant, its row and its purpose: a value moved elsewhere does not open.
import type { SecretSeal } from '../../lib/crypto/secret-seal.ts';

type Purpose = 'url' | 'secret' | 'answer';
type Place = { readonly tenantId: string; readonly id: string };

const bindingOf = (purpose: Purpose, { tenantId, id }: Place) => `webhook-${purpose}/${tenantId}/${id}`;

export function sealText(seal: SecretSeal, purpose: Purpose, place: Place, text: string): Buffer {
  return seal.seal(bindingOf(purpose, place), Buffer.from(text));
}

export function openText(seal: SecretSeal, purpose: Purpose, place: Place, sealed: Buffer): string {
  return seal.open(bindingOf(purpose, place), sealed).toString();
}

/** Undefined when its key has left the ring, or when it was changed by another hand. */
export function tryOpenText(seal: SecretSeal, purpose: Purpose, place: Place, sealed: Buffer): string | undefined {
  try {
    return openText(seal, purpose, place, sealed);
  } catch {
    return undefined;
  }
}

type SealedEndpoint = { readonly sealedUrl: Buffer; readonly sealedSecret: Buffer };

/** Whether messages can be sent to an endpoint: with the key to its address or its secret lost, none can. */
export const isReadable = (seal: SecretSeal, place: Place, { sealedUrl, sealedSecret }: SealedEndpoint): boolean =>
  tryOpenText(seal, 'url', place, sealedUrl) !== undefined &&
  tryOpenText(seal, 'secret', place, sealedSecret) !== undefined;
