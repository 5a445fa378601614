// How the rows about reading ask: below the tenant's own path, in the envelope without a wallet (decision 2).
import { fits } from '../expect.ts';
import { reportsPath } from '../journey.ts';
import { dataOf, metaOf } from '../replies.ts';
import type { Api, Reply } from '../session.ts';
import { absent, count, object } from '../shape.ts';

export const get = (api: Api, path: string): Promise<Reply> => api.send({ path: `/${api.tenantId}/v1/${path}` });
export const read = (api: Api, creditReportId: unknown): Promise<Reply> =>
  api.send({ path: `${reportsPath(api.tenantId)}/${String(creditReportId)}` });

/** The envelope of what charges nothing: when it took, and no wallet. */
export function unmetered(reply: Reply): Record<string, unknown> {
  fits('meta', metaOf(reply), object({ request: object({ timeTakenMs: count }), wallet: absent }));
  return dataOf(reply);
}
