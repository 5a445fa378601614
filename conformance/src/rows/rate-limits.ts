// Rate limits as a client meets them. Interface, "Limits"; decision 58.
import { equal, holds } from '../expect.ts';
import { generate, reportsPath } from '../journey.ts';
import { dataOf, refused } from '../replies.ts';
import { type Row, Skip } from '../row.ts';

const FLOOD_MAX = 600;
const FLOOD_AT_ONCE = 50;

export const rateLimitRows: readonly Row[] = [
  {
    id: 'rate-limit/headers',
    title: 'a tenant-scoped answer carries RateLimit and RateLimit-Policy',
    pins: 'Decision 58',
    run: async ({ api }) => {
      const reply = await generate(api);
      dataOf(reply, 'complete');
      for (const name of ['RateLimit', 'RateLimit-Policy']) {
        holds(Boolean(reply.headers.get(name)), `a ${name} header`, 'none');
      }
    },
  },
  {
    id: 'rate-limit/429',
    title: 'too many requests: 429 rate-limited with Retry-After, and afterwards the service answers again',
    pins: 'Interface, "Errors"; decision 58',
    pace: 'alone',
    run: async ({ api }) => {
      // An invalid body: limits are checked before bodies, so the flood costs the service next to nothing.
      const call = { method: 'POST', path: reportsPath(api.tenantId), body: {}, about: 429 } as const;
      for (let sent = 0; sent < FLOOD_MAX; sent += FLOOD_AT_ONCE) {
        const replies = await Promise.all(Array.from({ length: FLOOD_AT_ONCE }, () => api.send(call)));
        const limited = replies.find(({ status }) => status === 429);
        if (!limited) continue;
        refused(limited, 429, 'rate-limited');
        const seconds = limited.headers.get('retry-after') ?? 'no Retry-After header';
        holds(/^\d+$/.test(seconds), 'Retry-After in whole seconds', seconds);
        equal('HTTP status after waiting', (await generate(api)).status, 200);
        return;
      }
      throw new Skip(`no limit met within ${FLOOD_MAX} requests: the tenant's limit is higher`);
    },
  },
];
