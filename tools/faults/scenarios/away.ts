// The database is unavailable, as in a failover, while the bureaus answer: their enquiries are already paid for, so no
// such report may be lost. Clients repeat their request with its key until they get a definite answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { isOpen, tenantRequest } from '../client.ts';
import { offer } from '../load.ts';
import { isComplete, type Operation, parseBody } from '../records.ts';
import type { Figures, Run, Scenario } from '../scenario.ts';

const RATE = 60;
const BUREAU_MS = 1_500;
/** By then as many requests are at the bureaus as there will ever be. */
const BEFORE_MS = 1_400;
const PATIENCE_MS = 60_000;
const PLACES = 400;

async function play({ stage, say }: Run, awaySeconds: number, turns: number): Promise<Figures> {
  const { client, tenantOf, proxy } = stage;
  for (let turn = 0; turn < turns; turn += 1) {
    const load = offer({
      ratePerSecond: RATE,
      send: (number) => client.generateUntilDefinite(tenantOf(number), PATIENCE_MS),
    });
    await sleep(BEFORE_MS);
    say(`  away for ${awaySeconds} s`);
    await proxy?.goAway();
    // Requests in progress at that moment are served afterwards; more requests would only wait.
    const answered = load.stop();
    await sleep(awaySeconds * 1_000);
    await proxy?.comeBack();
    await answered;
  }
  return { requests: client.operations.length };
}

/** The report under its id, as a client would look it up that has the id and lost the answer. */
async function read({ stage }: Run, { tenantId }: Operation, creditReportId: string): Promise<string> {
  const tenant = stage.tenants.find((each) => each.tenantId === tenantId);
  if (!tenant) throw new Error('a tenant is not known');
  const reply = await stage.client.ask(tenantRequest(tenant, `/v1/credit-reports/${creditReportId}`));
  return `${reply.status} ${parseBody(reply).data?.status ?? ''}`.trim();
}

function away(awaySeconds: number, turns: number, more: Partial<Scenario> = {}): Scenario {
  return {
    name: `away-${awaySeconds}s`,
    promise: `the database is away for ${awaySeconds} s while bureaus answer: no report they were asked for is lost`,
    wish: { isProxied: true, bureauMs: BUREAU_MS, places: PLACES },
    seconds: awaySeconds,
    ...more,
    play: (run) => play(run, run.seconds, run.isShort ? 1 : turns),
    async judge(run, { reportOf }) {
      const { tally } = run;
      let [asked, lost] = [0, 0];
      const lose = (what: string) => {
        lost += 1;
        tally.find('no report whose bureaus were asked is lost', what);
      };
      for (const [operation, report] of reportOf) {
        if (!report.isAsked) continue;
        asked += 1;
        const last = operation.answers.at(-1);
        if (report.status !== 'complete') lose(`is ${report.status} ${report.failure ?? ''}`);
        else if (report.charges !== 1) lose(`${report.charges} charges`);
        else {
          // It is there and charged for once: a client that waits longer gets it.
          if (!last || isOpen(last)) tally.find('every client gets its report in time', String(last?.status));
          else if (!isComplete(last)) lose(`its key answers ${last.status} ${last.reportStatus ?? last.code ?? ''}`);
          const said = await read(run, operation, report.id);
          if (said === '0' || said === '503') tally.find('every report can be read in time', said);
          else if (said !== '200 complete') lose(`is read as ${said}`);
        }
      }
      if (asked === 0) tally.find('the fault met reports at the bureaus', 'none was asked');
      return { asked, lost };
    },
  };
}

export const away7s = away(7, 2, { shortSeconds: 7 });
export const away25s = away(25, 1);
