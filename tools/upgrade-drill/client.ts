// The tenants' own systems: they call through the client library alone, so what its retries hide is not seen here. Every send
// is counted; an operation without a definite answer is a finding.
import { setTimeout as sleep } from 'node:timers/promises';
import { createTrefoil, type GenerateRequest, type Trefoil, TrefoilError } from '@trefoil/sdk';
import type { AnswerBody, Client, Operation } from '../chaos/client.ts';
import { count, type Tally } from '../chaos/tally.ts';
import type { DemoTenant } from '../dev/seed.ts';

export function openTrefoil(baseUrl: string, tenant: DemoTenant, tally: Tally): Trefoil {
  return createTrefoil({
    ...{ baseUrl, ...tenant },
    hooks: {
      request() {
        tally.requests += 1;
      },
      response({ status, path }) {
        count(tally.statuses, status);
        if (status >= 500 && status !== 503) tally.find('no answer is a 5xx but 503', `${path}: ${status}`);
      },
    },
  });
}

/** The paths of the operations that flows begin (tools/chaos/flows.ts). */
function call(trefoil: Trefoil, { path, body, key }: Operation): Promise<unknown> {
  const options = { idempotencyKey: key };
  const [, creditReportId, action] = /^\/v1\/credit-reports(?:\/([^/]+)\/([^/]+))?$/.exec(path) ?? [];
  if (creditReportId === undefined) return trefoil.generate(body as GenerateRequest, options);
  if (action === 'otp-challenge') {
    return trefoil.submitOtp(creditReportId, body as Parameters<Trefoil['submitOtp']>[1], options);
  }
  return trefoil.resendSms(creditReportId, body as Parameters<Trefoil['resendSms']>[1], options);
}

export function createSdkClient(
  baseUrl: string,
  tenants: readonly DemoTenant[],
  tally: Tally,
  newFields: ReadonlySet<string> = new Set(),
): Client {
  // A retry may be answered by the previous version, which cannot say what came later. Everything else must be the same.
  const knownToBoth = <T extends object>(data: T): T =>
    Object.fromEntries(Object.entries(data).filter(([name]) => !newFields.has(name))) as T;
  const clients = new Map(tenants.map((tenant) => [tenant.tenantId, openTrefoil(baseUrl, tenant, tally)]));
  return async (operation) => {
    const trefoil = clients.get(operation.tenant.tenantId);
    if (!trefoil) throw new Error('an operation of a tenant that is not there');
    const startedMs = performance.now();
    try {
      const { data, ...rest } = (await call(trefoil, operation)) as AnswerBody;
      return { status: 200, body: { ...rest, ...(data && { data: knownToBoth(data) }) }, isReplay: false };
    } catch (error) {
      if (error instanceof TrefoilError && error.status < 500) {
        return { status: error.status, body: { code: error.code }, isReplay: false };
      }
      const what = error instanceof TrefoilError ? `${error.status} ${error.code}` : String(error);
      tally.find('every call gets its answer, after the client library’s own retries', `${operation.path}: ${what}`);
      // A flow would go on at once: a broken service must not be flooded by its own test.
      await sleep(1_000);
      return undefined;
    } finally {
      tally.operations += 1;
      tally.longestWaitMs = Math.max(tally.longestWaitMs, performance.now() - startedMs);
    }
  };
}
