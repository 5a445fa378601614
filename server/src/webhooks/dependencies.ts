// What the use-cases of webhooks are given. Only types.
import type { RingHash } from '../lib/crypto/hash-ring.ts';
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';
import type { UrlRules } from '../lib/outside/outside-url.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import type { DescribeReportsOf } from './complete-bodies.ts';
import type { Budgets } from './rules/budgets.ts';

export type WebhookDependencies = {
  readonly database: Database;
  readonly seal: SecretSeal;
  readonly hashIdempotency: RingHash;
  /** Which addresses may be given. */
  readonly rules: UrlRules;
  readonly budgets: Budgets;
  readonly now: () => Date;
  readonly describeNow: DescribeReportsOf;
};

/** The mail addresses of the members of a tenant who look after its webhooks, in a transaction of this tenant. */
export type ListPeople = (tx: Tx, tenantId: string) => Promise<readonly string[]>;
