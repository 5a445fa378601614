// Whether every node knows what another one signs with: a fresh token of one node is used at the other, evidence that one node signs is
// verified with the keys that the other publishes, and what is older stays good. It asks the nodes themselves and not the proxy, and
// renews no token: a client that asks for another token when one is refused would hide the fault.
import { setTimeout as sleep } from 'node:timers/promises';
import { createTrefoil, type EvidenceResponse, TrefoilError } from '@trefoil/sdk';
import { readPublishedKeys } from '../../server/src/evidence/verification/published-keys.ts';
import { verifier } from '../../server/src/evidence/verification/verifier.ts';
import type { Tally } from '../chaos/tally.ts';
import { openTrefoil } from '../upgrade-drill/client.ts';
import { FRESH_EVIDENCE, FRESH_TOKEN, HANDED_ON, OLDER_EVIDENCE, OLDER_TOKEN } from './settings.ts';
import type { Stage } from './stage.ts';

/** A token lasts fifteen minutes; half a minute before its end it is not tried any more. */
const TOKEN_MS = 870_000;
const PATIENCE_MS = 10_000;
const LOOK_MS = 200;

type Token = { readonly text: string; readonly kid: string; readonly madeBy: string; readonly endMs: number };
type Evidence = { readonly answer: EvidenceResponse; readonly madeBy: string };

/** How many were made at one node and tried at the other, and with how many keys. */
export type HandOverFigures = Readonly<Record<'tokens' | 'tokenKeys' | 'evidences' | 'evidenceKeys', number>>;

export type HandOver = {
  /** Call it while all nodes serve. */
  check(): Promise<void>;
  figures(): HandOverFigures;
};

const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;

/** Complete reports without evidence, as many as there are nodes: a report is signed once. */
const UNSIGNED = `
  select id::text, tenant_id::text as "tenantId" from credit_reports as reports
   where status = 'complete' and not exists (select from evidences where credit_report_id = reports.id)
   order by id desc limit $1`;

export function createHandOver({ nodePorts, tenants, query }: Stage, tally: Tally): HandOver {
  const nodes = nodePorts.map((port) => `http://127.0.0.1:${port}`);
  const [tenant] = tenants;
  const tokens: Token[] = [];
  const evidences: Evidence[] = [];

  async function makeToken(madeBy: string): Promise<Token> {
    const text = await openTrefoil(madeBy, tenant, tally).getToken();
    return { text, kid: kidOf(text), madeBy, endMs: performance.now() + TOKEN_MS };
  }

  async function useToken(baseUrl: string, { text, kid, madeBy }: Token, about: string): Promise<void> {
    const trefoil = createTrefoil({ baseUrl, tenantId: tenant.tenantId, getToken: async () => text });
    await trefoil.getWallet().catch((error: unknown) => {
      if (!(error instanceof TrefoilError) || error.status !== 401) throw error;
      tally.find(about, `made by ${madeBy} with the key ${kid}, refused by ${baseUrl}`);
    });
  }

  async function findUnsigned(): Promise<readonly { id: string; tenantId: string }[]> {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const found = await query<{ id: string; tenantId: string }>(UNSIGNED, [nodes.length]);
      if (found.length === nodes.length) return found;
      if (limit.aborted) throw new Error('there are no new complete reports');
      await sleep(LOOK_MS);
    }
  }

  async function makeEvidence(madeBy: string, { id, tenantId }: { id: string; tenantId: string }): Promise<Evidence> {
    const owner = tenants.find((each) => each.tenantId === tenantId) ?? tenant;
    return { answer: await openTrefoil(madeBy, owner, tally).getEvidence(id), madeBy };
  }

  async function verifyBy(baseUrl: string, given: readonly Evidence[], about: string): Promise<void> {
    const response = await fetch(`${baseUrl}/.well-known/trefoil-evidence-keys.json`);
    const keys = readPublishedKeys(await response.text());
    for (const { answer, madeBy } of given) {
      const read = await verifier.read(Buffer.from(JSON.stringify(answer)));
      const { verdict, kid } = await verifier.verify(read, keys);
      if (verdict !== 'good')
        tally.find(about, `made by ${madeBy} with the key ${kid}, at ${baseUrl} it is ${verdict}`);
    }
  }

  async function check(): Promise<void> {
    const freshTokens = await Promise.all(nodes.map(makeToken));
    const unsigned = await findUnsigned();
    const freshEvidences = await Promise.all(unsigned.map((report, place) => makeEvidence(nodes[place] ?? '', report)));
    for (const baseUrl of nodes) {
      const isForeign = ({ madeBy }: { readonly madeBy: string }) => madeBy !== baseUrl;
      const olderTokens = tokens.filter(({ endMs }) => performance.now() < endMs);
      await Promise.all([
        ...freshTokens.filter(isForeign).map((token) => useToken(baseUrl, token, FRESH_TOKEN)),
        ...olderTokens.map((token) => useToken(baseUrl, token, OLDER_TOKEN)),
      ]);
      await verifyBy(baseUrl, freshEvidences.filter(isForeign), FRESH_EVIDENCE);
      await verifyBy(baseUrl, evidences, OLDER_EVIDENCE);
    }
    tokens.push(...freshTokens);
    evidences.push(...freshEvidences);
  }

  return {
    check: () => check().catch((error: unknown) => tally.find(HANDED_ON, `${error}`)),
    figures: () => ({
      ...{ tokens: tokens.length, tokenKeys: new Set(tokens.map(({ kid }) => kid)).size },
      ...{ evidences: evidences.length, evidenceKeys: new Set(evidences.map(({ answer }) => answer.data.kid)).size },
    }),
  };
}
