// The three credit-report operations over HTTP: from request to use-case, from answer to envelope.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import type { Rendered } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import { generateReport } from './generate-report.ts';
import { resendSms } from './resend-sms.ts';
import { submitOtp } from './submit-otp.ts';

type Exchange = { readonly startedAtMs: number; readonly reply: FastifyReply };

function respond<Data>({ startedAtMs, reply }: Exchange, answer: Rendered<Data>) {
  if (answer.isReplay) reply.header('idempotent-replayed', 'true');
  return envelope(answer, startedAtMs);
}

export function registerReportRoutes(app: FastifyInstance, gate: Gate, dependencies: ReportDependencies): void {
  registerOperation(app, gate, 'generateCreditReport', async (request) => {
    const { caller, body, idempotency } = request;
    return respond(request, await generateReport(dependencies, caller, body, idempotency));
  });
  registerOperation(app, gate, 'submitOtp', async (request) => {
    const { caller, params, body, idempotency } = request;
    const creditReportId = params['creditReportId'] ?? '';
    return respond(request, await submitOtp(dependencies, caller, { ...body, creditReportId }, idempotency));
  });
  registerOperation(app, gate, 'resendSms', async (request) => {
    const { caller, params, body, idempotency } = request;
    const creditReportId = params['creditReportId'] ?? '';
    return respond(request, await resendSms(dependencies, caller, { ...body, creditReportId }, idempotency));
  });
}
