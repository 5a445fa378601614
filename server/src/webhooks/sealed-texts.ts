// The sealed texts of webhooks, each bound to its tenant, its row and its purpose: a value moved elsewhere does not open.
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';

type Purpose = 'url' | 'secret' | 'answer';
type Place = { readonly tenantId: string; readonly id: string };

const bindingOf = (purpose: Purpose, { tenantId, id }: Place) => `webhook-${purpose}/${tenantId}/${id}`;

export function sealText(seal: SecretSeal, purpose: Purpose, place: Place, text: string): Buffer {
  return seal.seal(bindingOf(purpose, place), Buffer.from(text));
}

export function openText(seal: SecretSeal, purpose: Purpose, place: Place, sealed: Buffer): string {
  return seal.open(bindingOf(purpose, place), sealed).toString();
}
