// A random day: live reports that are allowed, challenged, blocked or fail, with right and wrong codes, texts and their receipts;
// the same in test mode; top-ups and corrections. The seed fixes the mix; the exact order depends on the machine.
import type { Random } from '../../bench/merge/random.ts';
import { newId } from '../../server/src/lib/ids.ts';
import { adjust } from '../../server/src/wallet/adjust.ts';
import { topUp } from '../../server/src/wallet/top-up.ts';
import { type Client, createClient, newKey } from '../chaos/client.ts';
import { createFlow } from '../chaos/flows.ts';
import { createPhones } from '../chaos/phones.ts';
import type { Records } from '../chaos/records.ts';
import type { Tally } from '../chaos/tally.ts';
import type { DemoTenant } from '../dev/seed.ts';
import type { Scene } from './scene.ts';

export type Played = { readonly topUps: number; readonly corrections: number; readonly testReports: number };

type Options = { readonly operations: number; readonly atOnce: number; readonly signal: AbortSignal };

const REPORTS = '/v1/credit-reports';
const RIGHT_CODE = '123456';
const WRONG_CODE = '000000';
/** Past the five minutes of a code. */
const LATE_SECONDS = 301;
const KINDS = [
  { weight: 68, kind: 'live' },
  { weight: 22, kind: 'test' },
  { weight: 7, kind: 'top-up' },
  { weight: 3, kind: 'correction' },
] as const;
/** What a consumer of a test challenge does: nothing at all leaves it open. */
const TEST_STEPS: readonly (readonly ('right' | 'wrong' | 'resend' | 'late')[])[] = [
  ...[['right'], ['right'], ['wrong', 'right'], ['resend', 'right']],
  ...[['wrong', 'wrong', 'wrong'], ['late', 'right'], ['resend', 'resend'], []],
] as const;

function createTestFlow({ nextPerson }: Scene, random: Random, client: Client) {
  return async (tenant: DemoTenant): Promise<void> => {
    const post = (path: string, body: object) => client({ tenant, path, body, key: newKey(), stretches: [] });
    const status = random.pick(['allow', 'allow', 'challenge', 'challenge', 'block'] as const);
    const first = await post(REPORTS, {
      ...nextPerson(),
      ...{ test: true, sessionId: 'any', bureaus: ['equifax', 'experian'], ipAddress: '192.0.2.10', searchType: 'pcp' },
      challengeOptions: { status },
    });
    const { creditReportId, challenge } = first?.body.data ?? {};
    if (!creditReportId || !challenge) return;
    const { challengeId } = challenge;
    for (const step of random.pick(TEST_STEPS)) {
      const path = `${REPORTS}/${creditReportId}`;
      if (step === 'resend') await post(`${path}/resend-sms`, { challengeId });
      else if (step === 'late') await post(`${path}/test-clock`, { advanceSeconds: LATE_SECONDS });
      else await post(`${path}/otp-challenge`, { challengeId, code: step === 'right' ? RIGHT_CODE : WRONG_CODE });
    }
  };
}

export async function playDay(
  scene: Scene,
  random: Random,
  tally: Tally,
  { operations, atOnce, signal }: Options,
): Promise<Played> {
  const played = { topUps: 0, corrections: 0, testReports: 0 };
  const records: Records = new Map();
  const client = createClient(scene.nodes, tally, signal);
  const isEnding = () => tally.operations >= operations || signal.aborted;
  const live = createFlow({
    ...{ client, records, tally, random, isEnding, tenants: scene.tenants },
    ...{ phones: createPhones(scene.addresses.carrier, random), nextPerson: scene.nextPerson },
    mintSession: scene.mintSession,
  });
  const test = createTestFlow(scene, random, client);

  async function one(): Promise<void> {
    const { kind } = random.pickWeighted(KINDS, ({ weight }) => weight);
    if (kind === 'live') return live();
    const { tenantId } = random.pick(scene.tenants);
    if (kind === 'test') {
      played.testReports += 1;
      return test(random.pick(scene.tenants));
    }
    const order = { credits: random.between(1, 20_000), sourceId: newId(), note: 'random day' };
    const move = kind === 'top-up' ? topUp : adjust;
    await scene.database.forTenants([tenantId], (tx) => move(tx, tenantId, order));
    played[kind === 'top-up' ? 'topUps' : 'corrections'] += 1;
    tally.operations += 1;
  }

  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (!isEnding()) await one();
    }),
  );
  return played;
}

/** The last codes of half of the open challenges come too late: the sweep ends these and refunds them. */
export async function letCodesExpire({ query }: Scene): Promise<void> {
  await query(`
    update challenges set last_sent_at = last_sent_at - interval '6 minutes', due_at = due_at - interval '6 minutes'
     where (tenant_id, credit_report_id) in (
       select tenant_id, id from credit_reports where status = 'challenged' and not is_test and failure is null
        order by id limit (select count(*) / 2 from credit_reports where status = 'challenged' and not is_test))`);
}
