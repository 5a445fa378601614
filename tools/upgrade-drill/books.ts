// The end of a drill: the checks of the chaos run, then what an operator would ask with the command line of both versions, and
// whether every report has its events and the feed shows each event once.
import { check } from '../chaos/checks.ts';
import type { Records } from '../chaos/records.ts';
import type { Tally } from '../chaos/tally.ts';
import { countOpen } from '../chaos/watch.ts';
import { openTrefoil } from './client.ts';
import type { Stage, Version } from './stage.ts';

const SETTLE_MS_MAX = 60_000;
const LOOK_MS = 500;

/** How an ended live report is told of; a report that is still challenged has no end yet. */
const WITHOUT_END = `
  select reports.id::text as id, reports.status, count(outbox.id)::integer as events
    from credit_reports as reports
    left join outbox on outbox.tenant_id = reports.tenant_id and outbox.credit_report_id = reports.id
                    and outbox.type in ('report.completed', 'report.blocked', 'report.failed', 'report.expired')
   where not reports.is_test and reports.status in ('complete', 'blocked', 'failed', 'expired')
   group by reports.id, reports.status
  having count(outbox.id) <> 1`;

async function settle(stage: Stage): Promise<void> {
  const limit = AbortSignal.timeout(SETTLE_MS_MAX);
  while (!limit.aborted && Object.values(await countOpen(stage)).some((number) => number > 0)) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** An exit code other than 0 is a break that the command found. */
async function askOperator(stage: Stage, version: Version, tally: Tally): Promise<void> {
  for (const command of [
    ['wallet', 'reconcile', '--all'],
    ['audit', 'verify'],
  ]) {
    await stage
      .commandLine(version)(...command)
      .catch((error: { stdout?: string } & Error) => {
        const what = (error.stdout ?? error.message).slice(0, 500);
        tally.find(`${command.join(' ')} of the ${version} version finds nothing`, what);
      });
  }
}

async function checkEvents(stage: Stage, tally: Tally): Promise<number> {
  for (const { id, status, events } of await stage.query<{ id: string; status: string; events: number }>(WITHOUT_END)) {
    tally.find('every ended report is told of once', `${id}: ${status}, ${events} events`);
  }
  let told = 0;
  for (const tenant of stage.tenants) {
    const ids = new Set<string>();
    for await (const { id } of openTrefoil(stage.proxy.baseUrl, tenant, tally).listEvents({ limit: 100 })) {
      if (ids.has(id)) tally.find('the feed shows each event once', id);
      ids.add(id);
    }
    const [row] = await stage.query<{ events: number }>(
      'select count(*)::integer as events from outbox where tenant_id = $1 and not is_test',
      [tenant.tenantId],
    );
    if (row?.events !== ids.size) {
      tally.find('the feed shows every event', `${ids.size} of ${row?.events} of tenant ${tenant.tenantId}`);
    }
    told += ids.size;
  }
  return told;
}

export type Checked = Awaited<ReturnType<typeof check>> & { readonly events: number };

export async function checkBooks(stage: Stage, records: Records, tally: Tally): Promise<Checked | undefined> {
  await settle(stage);
  try {
    // HAProxy carries the receipts here and keeps no list of them.
    const checked = await check({ ...stage, front: { acknowledged: new Map() } }, records, tally);
    await askOperator(stage, 'new', tally);
    await askOperator(stage, 'previous', tally);
    return { ...checked, events: await checkEvents(stage, tally) };
  } catch (error) {
    tally.find('the books can be checked', String(error));
    return undefined;
  }
}
