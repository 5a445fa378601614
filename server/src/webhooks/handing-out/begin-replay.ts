// A tenant asks for events again. Workers hand them out in the background: a month of them may be many (hand-out-events.ts).
import type { ReplayWebhookRequest, WebhookReplay } from '@trefoil/contract';
import { appendAudit } from '../../audit/append-audit.ts';
import type { Caller } from '../../http/authenticate.ts';
import { type Asking, answerKeyed, type Keyed } from '../../idempotency/answer-keyed.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { parseInstant } from '../../lib/values/instant.ts';
import { countOwn } from '../budgets/count-own.ts';
import type { WebhookDependencies } from '../dependencies.ts';
import { holdEndpoint, noEndpoint, showEndpoint } from '../manage-endpoints.ts';
import { findTimeFaults } from '../rules/replay.ts';
import { type AskedReplay, isReplaying, updateReplayBegun } from './replay-store.ts';

function readRequest({ since, until, onlyFailed = false }: ReplayWebhookRequest, now: Date): AskedReplay {
  const [from, to] = [parseInstant(since), until === undefined ? undefined : parseInstant(until)];
  if (!from) throw new Error('an instant was let through that is none');
  const details = findTimeFaults({ since: from, until: to }, now);
  if (details.length > 0) {
    const sentence = 'The request body is not valid; details lists what to correct.';
    throw new ServiceError('validation-error', sentence, { details });
  }
  return { since: from, until: to, onlyFailed };
}

type Begun = { readonly id: string } & WebhookReplay;

async function beginReplay(
  tx: Tx,
  { seal, budgets }: Pick<WebhookDependencies, 'seal' | 'budgets'>,
  caller: Caller,
  { endpointId, asked }: { readonly endpointId: string; readonly asked: AskedReplay },
): Promise<Begun> {
  const { tenantId, id: actor } = caller;
  const { since, until, onlyFailed } = asked;
  if (!(await holdEndpoint(tx, seal, caller, endpointId))) throw noEndpoint();
  const max = budgets.replaysPerDay;
  const sentence = `A company has ${max} replays in 24 hours. Single events can be sent again with resend.`;
  await countOwn(tx, tenantId, 'replay', { max, sentence });
  // One of the same endpoint begins anew.
  if (await isReplaying(tx, tenantId, endpointId)) {
    throw new ServiceError(
      'conflict',
      'A replay of another endpoint is under way. Ask again when its events have been handed out.',
    );
  }
  await updateReplayBegun(tx, tenantId, endpointId, asked);
  const { replay } = await showEndpoint(tx, seal, caller, endpointId);
  if (!replay) throw new Error('a replay was begun and is not shown');
  const details = {
    since: since.toISOString(),
    ...(until && { until: until.toISOString() }),
    ...(onlyFailed && { onlyFailed }),
  };
  await appendAudit(tx, [{ tenantId, actor, action: 'webhook.replayed', subjectId: endpointId, details }]);
  return { id: endpointId, ...replay };
}

export async function replayWebhookEvents(
  dependencies: WebhookDependencies,
  asking: Asking,
  endpointId: string,
  request: ReplayWebhookRequest,
): Promise<Keyed<Begun>> {
  const { database, now } = dependencies;
  const { caller } = asking;
  const asked = readRequest(request, now());
  return database.forTenants([caller.tenantId], (tx) =>
    answerKeyed<Begun, Begun>(tx, dependencies, asking, {
      async run() {
        const result = await beginReplay(tx, dependencies, caller, { endpointId, asked });
        return { subjectId: endpointId, reference: result, result };
      },
      // As it began: meanwhile the endpoint may have another one.
      repeat: async (begun) => begun,
    }),
  );
}
