// The operations that read reports and limits, over HTTP.
import type { FastifyInstance } from 'fastify';
import { envelope } from '../../http/envelope.ts';
import { type Gate, registerOperation } from '../../http/operations.ts';
import { countReports } from './count-reports.ts';
import { type ListDependencies, listReports } from './list-reports.ts';
import { type LimitsDependencies, readLimits } from './read-limits.ts';
import { type ReadDependencies, readReport } from './read-report.ts';
import { readTimeline } from './read-timeline.ts';

export function registerReadingRoutes(
  app: FastifyInstance,
  gate: Gate,
  dependencies: ReadDependencies & ListDependencies & LimitsDependencies,
): void {
  registerOperation(app, gate, 'listCreditReports', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await listReports(dependencies, caller, query) }, startedAtMs),
  );
  registerOperation(app, gate, 'countCreditReports', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await countReports(dependencies, caller, query) }, startedAtMs),
  );
  registerOperation(app, gate, 'getCreditReport', async ({ caller, params, startedAtMs }) =>
    envelope(await readReport(dependencies, caller, params['creditReportId'] ?? ''), startedAtMs),
  );
  registerOperation(app, gate, 'getTimeline', async ({ caller, params, startedAtMs }) =>
    envelope({ data: await readTimeline(dependencies, caller, params['creditReportId'] ?? '') }, startedAtMs),
  );
  registerOperation(app, gate, 'getLimits', async ({ caller, quota, startedAtMs }) =>
    envelope({ data: await readLimits(dependencies, caller, quota) }, startedAtMs),
  );
}
