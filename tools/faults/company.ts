// A company of the stage that uses the interface of webhooks, and counts how it is answered.
import type { StageTenant } from '../../bench/speed/stage.ts';
import { count } from '../chaos/tally.ts';
import { type HttpRequest, requestBytes } from './client.ts';
import type { Stage } from './stage.ts';

type Data = { readonly id: string; readonly items?: readonly { readonly id: string }[] };

export type Company = {
  readonly tenantId: string;
  /** `path` is relative to that of webhook endpoints. Undefined unless the answer is 200. */
  call(method: HttpRequest['method'], path: string, body?: object): Promise<Data | undefined>;
  /** Makes an endpoint for every address. */
  add(urls: readonly string[]): Promise<string[]>;
  /** Events as the service would write them. */
  happen(events: number): Promise<void>;
  /** As if each of these hosts had accepted many messages of the company at these ports. */
  prove(urls: readonly string[]): Promise<void>;
  /** Deletes all its endpoints. */
  clear(): Promise<void>;
};

export function openCompany(
  { client, query }: Stage,
  { tenantId, token }: StageTenant,
  statuses = new Map<number, number>(),
): Company {
  async function call(method: HttpRequest['method'], path: string, body?: object): Promise<Data | undefined> {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const text = body ? { body: JSON.stringify(body) } : {};
    const reply = await client.ask(
      requestBytes({ method, path: `/${tenantId}/v1/webhook-endpoints${path}`, headers, ...text }),
    );
    count(statuses, reply.status);
    return reply.status === 200 ? (JSON.parse(reply.body.toString()) as { data: Data }).data : undefined;
  }
  return {
    tenantId,
    call,
    async add(urls) {
      const ids: string[] = [];
      for (const url of urls) {
        const made = await call('POST', '', { url });
        if (!made) throw new Error('an endpoint was not made');
        ids.push(made.id);
      }
      return ids;
    },
    async happen(events) {
      await query(
        `insert into outbox (tenant_id, type, subject_id, credit_report_id, amount)
         select $1, 'report.completed', report, report, 0
           from (select gen_random_uuid() as report from generate_series(1, $2::int)) as made`,
        [tenantId, events],
      );
    },
    async prove(urls) {
      await query(
        `insert into webhook_hosts (tenant_id, host, proven_places, accepted)
         select $1, host, array['127.0.0.1 ' || port], 1000000 from unnest($2::text[], $3::text[]) as at (host, port)`,
        [tenantId, urls.map((url) => new URL(url).hostname), urls.map((url) => new URL(url).port)],
      );
    },
    async clear() {
      const { items = [] } = (await call('GET', '?limit=50')) ?? {};
      for (const { id } of items) await call('DELETE', `/${id}`);
    },
  };
}
