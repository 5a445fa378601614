// Waits until a day is over: nothing is open, and every event and line is counted.
import { setTimeout as sleep } from 'node:timers/promises';
import { countOpen } from '../chaos/watch.ts';
import type { Scene } from './scene.ts';

const LOOK_MS = 200;

async function countLeft(scene: Scene): Promise<number> {
  const open = await countOpen(scene);
  const [left] = await scene.query<{ events: number; lines: number; late: number }>(`
    select (select count(*) from outbox, usage_place
             where (outbox.xact_id, outbox.id) > (usage_place.xact_id, usage_place.event))::integer as events,
           (select count(*) from wallets left join wallet_rollups using (tenant_id)
             where wallets.last_seq > coalesce(wallet_rollups.last_seq, 0))::integer as lines,
           (select count(*) from credit_reports join challenges on challenges.credit_report_id = credit_reports.id
             where status = 'challenged' and not is_test
               and (failure is not null or clock_timestamp() - last_sent_at > interval '5 minutes'))::integer as late`);
  return [...Object.values(open), ...Object.values(left ?? {})].reduce((sum, each) => sum + each, 0);
}

/** False if it took longer than `patienceMs`. */
export async function settle(scene: Scene, patienceMs: number): Promise<boolean> {
  const endMs = performance.now() + patienceMs;
  while ((await countLeft(scene)) > 0) {
    if (performance.now() > endMs) return false;
    await sleep(LOOK_MS);
  }
  return true;
}
