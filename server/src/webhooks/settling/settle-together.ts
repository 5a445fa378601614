// Settles attempts. Those that were accepted and finished at about the same time share a transaction, whatever their tenants:
// a transaction of its own costs an attempt more than the attempt (docs/decisions/0226-deliveries-settled-together.md). An
// attempt that changes more than its delivery, or that meets a lock, is settled by itself.
import { describeError, type Log } from '../../lib/log.ts';
import { outsideScope } from '../../lib/request-scope.ts';
import { noteAccepted } from '../budgets/host-store.ts';
import type { Claimed } from '../claim-store.ts';
import { freeNext, linesOf } from '../order-store.ts';
import { wakeEndpoints } from '../turn-store.ts';
import { deleteOldAttempts, mayHaveTooMany, settleAccepted } from './attempt-store.ts';
import {
  type Attempt,
  acceptedOf,
  type Outcome,
  type SettleDependencies,
  SLOW_MS,
  settleAttempt,
  toAttemptRow,
} from './settle-attempt.ts';

/** How long an accepted attempt waits for others. */
const GATHER_MS = 10;

type Member = {
  readonly claimed: Claimed;
  readonly attempt: Attempt;
  answer(outcome: Outcome | Promise<Outcome>): void;
};

export type Settle = (claimed: Claimed, attempt: Attempt) => Promise<Outcome>;

export function createSettler(dependencies: SettleDependencies & { readonly log: Log }): Settle {
  const { database, seal, budgets, log } = dependencies;
  let gathered: Member[] = [];

  async function settleAll(members: readonly Member[]): Promise<ReadonlySet<string>> {
    const accepted = members.map(({ claimed, attempt }) => ({
      fence: claimed.fence,
      attempt: toAttemptRow(seal, claimed, attempt),
    }));
    const tenantIds = [...new Set(members.map(({ claimed }) => claimed.tenantId))];
    const changes = members.map(({ claimed, attempt }) => ({
      id: claimed.id,
      hosts: acceptedOf(claimed, attempt, budgets),
    }));
    const [settled] = await database.forTenants(tenantIds, async (tx, commitNow) => {
      const sent = Promise.all([
        settleAccepted(tx, accepted),
        freeNext(tx, linesOf(members.map(({ claimed }) => claimed))),
        deleteOldAttempts(tx, members.map(({ claimed }) => claimed).filter(mayHaveTooMany)),
        wakeEndpoints(
          tx,
          members.map(({ claimed }) => claimed.endpointId),
          changes.flatMap(({ hosts }) => hosts),
        ),
      ]);
      if (changes.some(({ hosts }) => hosts.length > 0)) {
        // The others are counted when they are settled by themselves.
        const ids = new Set((await sent)[0]);
        await noteAccepted(
          tx,
          changes.filter(({ id }) => ids.has(id)).flatMap(({ hosts }) => hosts),
        );
      }
      commitNow();
      return sent;
    });
    return new Set(settled);
  }

  async function run(): Promise<void> {
    const members = gathered;
    gathered = [];
    const settled = await settleAll(members).catch((error: unknown) => {
      log.warn('webhook attempts not settled together', describeError(error));
      return new Set<string>();
    });
    for (const { claimed, attempt, answer } of members)
      answer(settled.has(claimed.id) ? 'delivered' : settleAttempt(dependencies, claimed, attempt));
  }

  return (claimed, attempt) => {
    if (attempt.verdict.kind !== 'delivered' || attempt.timeTakenMs >= SLOW_MS || claimed.isConfirming)
      return settleAttempt(dependencies, claimed, attempt);
    return new Promise((answer) => {
      // Outside: the transaction is not that of the first of them alone.
      if (gathered.length === 0) outsideScope(() => setTimeout(() => void run(), GATHER_MS));
      gathered.push({ claimed, attempt, answer });
    });
  };
}
