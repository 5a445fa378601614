// The front door of usage: what a company used, over HTTP, the job that counts it, and what the wallet's statement shows of reports.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import { listReportFacts } from './find-report-facts.ts';
import { usageJobs } from './jobs.ts';
import { registerUsageRoutes, type UsageDependencies } from './routes.ts';

export function openUsage(dependencies: UsageDependencies & { readonly database: OpenDatabase }) {
  const { database } = dependencies;
  return {
    forStatements: { listReportFacts },
    jobs: usageJobs(database.jobs),
    register(http: FastifyInstance, gate: Gate): void {
      registerUsageRoutes(http, gate, dependencies);
    },
  };
}
