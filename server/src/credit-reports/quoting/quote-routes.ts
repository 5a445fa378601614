// The quote over HTTP.
import type { FastifyInstance } from 'fastify';
import { envelope } from '../../http/envelope.ts';
import { type Gate, registerOperation } from '../../http/operations.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { quoteReport } from './quote-report.ts';

export function registerQuoteRoutes(app: FastifyInstance, gate: Gate, dependencies: ReportDependencies): void {
  registerOperation(app, gate, 'quoteCreditReport', async ({ caller, body, startedAtMs }) =>
    envelope({ data: await quoteReport(dependencies, caller, body) }, startedAtMs),
  );
}
