// An operation of one transaction whose repeat gets an answer made of what was stored with the key: no secret and no personal data
// (docs/decisions/0056-idempotency.md).
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import type { RingHash } from '../lib/crypto/hash-ring.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { answerOnce } from './answer-once.ts';

export type Asking = { readonly caller: Caller; readonly idempotency: IdempotentRequest | undefined };

export type Keyed<Data> = { readonly data: Data; readonly isReplay: boolean };

type Work<Reference, Data> = {
  readonly run: () => Promise<{ readonly subjectId: string; readonly reference: Reference; readonly result: Data }>;
  readonly repeat: (reference: Reference) => Promise<Data>;
};

/** First in its transaction: the key is locked before everything else. */
export async function answerKeyed<Reference extends object, Data>(
  tx: Tx,
  { hashIdempotency }: { readonly hashIdempotency: RingHash },
  { caller, idempotency }: Asking,
  { run, repeat }: Work<Reference, Data>,
): Promise<Keyed<Data>> {
  const keyed = idempotency && { ...idempotency, tenantId: caller.tenantId, callerId: caller.id };
  const once = await answerOnce<Reference, Data>(tx, hashIdempotency, keyed, async () => ({
    kind: 'answered',
    ...(await run()),
  }));
  if (once.kind === 'replayed') return { data: await repeat(once.reference), isReplay: true };
  if (once.kind !== 'answered') throw new Error('such a request ends when it is answered');
  return { data: once.result, isReplay: false };
}
