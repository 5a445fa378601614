// Two nodes whose hash rings are in two states of a rotation, on one database (docs/operate/hash-key.md).
import { type HashState, hashSettings } from '../../../tools/dev/hash-roll-out.ts';
import { loadConfig } from '../../src/config.ts';
import { newKey } from '../../src/lib/crypto/secret-keys.ts';
import { expectBooksToBalance } from './books.ts';
import { type LiveServer, startLiveServer } from './live.ts';
import type { OwnTenant } from './tenant.ts';
import { type Reply, send } from './wire.ts';

export type MixedNodes = {
  readonly server: LiveServer;
  readonly states: readonly [HashState, HashState];
  readonly nodes: readonly [string, string];
  /** The keys of each node, and those that it only looks up with. */
  readonly configs: readonly [Config, Config];
  close(): Promise<void>;
};

type Config = ReturnType<typeof loadConfig>;

export const newHashSettings = () => hashSettings(`old:${newKey()}`, `new:${newKey()}`);

/** `allow` for the control: rings that no two processes may have at once. */
export async function startMixed(one: HashState, other: HashState, allow = ''): Promise<MixedNodes> {
  const settings = newHashSettings();
  const exceptions = { TREFOIL_ALLOW_PLAINTEXT: allow };
  const server = await startLiveServer({ isWide: true, environment: { ...settings[one], ...exceptions } });
  const second = await server.startNode({ ...settings[other], ...exceptions });
  return {
    server,
    states: [one, other],
    nodes: [server.baseUrl, second.baseUrl],
    configs: [server.config, loadConfig({ ...server.environment, ...settings[other] })],
    async close() {
      await second.close();
      try {
        await expectBooksToBalance(server);
      } finally {
        await server.close();
      }
    },
  };
}

type Post = { readonly key?: string; readonly action?: string; readonly body: object };

/** To a node of its own choice, with an idempotency key. */
export async function post(node: string, tenant: OwnTenant, { key, action = '', body }: Post): Promise<Reply> {
  return send(node, {
    method: 'POST',
    path: `/${tenant.tenantId}/v1/credit-reports${action}`,
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await tenant.trefoil.getToken()}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  });
}
