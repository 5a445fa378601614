// The tools of test mode over HTTP: a report's clock, the inbox, the reset of the wallet, the catalogue.
import { TEST_CATALOGUE } from '@trefoil/contract';
import type { FastifyInstance } from 'fastify';
import { envelope } from '../../http/envelope.ts';
import { type Gate, registerOperation } from '../../http/operations.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { advanceTestClock } from './advance-clock.ts';
import { createInbox } from './list-inbox.ts';
import { resetWallet } from './reset-wallet.ts';

export function registerSandboxRoutes(app: FastifyInstance, gate: Gate, dependencies: ReportDependencies): void {
  const listInbox = createInbox(dependencies);
  registerOperation(
    app,
    gate,
    'advanceTestClock',
    async ({ caller, params, body, idempotency, startedAtMs, reply }) => {
      const advance = { ...body, creditReportId: params['creditReportId'] ?? '' };
      const answer = await advanceTestClock(dependencies, caller, advance, idempotency);
      if (answer.isReplay) reply.header('idempotent-replayed', 'true');
      return envelope(answer, startedAtMs);
    },
  );
  registerOperation(app, gate, 'listTestInbox', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await listInbox(caller, query) }, startedAtMs),
  );
  registerOperation(app, gate, 'resetTestWallet', async ({ caller, body, idempotency, startedAtMs, reply }) => {
    const answer = await resetWallet(dependencies, caller, body.credits, idempotency);
    if (answer.isReplay) reply.header('idempotent-replayed', 'true');
    return envelope(answer, startedAtMs);
  });
  registerOperation(app, gate, 'getTestCatalogue', async () => TEST_CATALOGUE);
}
