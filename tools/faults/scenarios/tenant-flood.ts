// One tenant, with a rate limit far above what a node can handle, floods it with generates. The other tenants are served
// as before; its own admitted requests do not wait long.
import { findUnanswered } from '../find-unanswered.ts';
import { type Offer, offer } from '../load.ts';
import { judgeOthers, watchGenerates } from '../others.ts';
import { isComplete, type Told } from '../records.ts';
import type { Scenario } from '../scenario.ts';
import { alternate, compare } from '../windows.ts';

const FLOOD_PER_SECOND = 400;
const OWN_TIMES = 5;

export const tenantFlood: Scenario = {
  name: 'tenant-flood',
  promise: "one tenant's flood of generates does not slow the other tenants down",
  wish: { places: 400 },
  // The flood's tenant is held down to about 25 a second, and a p99 needs a thousand.
  seconds: 21,
  async play(run) {
    const { stage, tally, seconds, isShort } = run;
    const { client, hot, tenantOf } = stage;
    const others = watchGenerates(run, tenantOf);
    const own = watchGenerates(run, () => hot);
    const flooded: Told[] = [];
    let flood: Offer | undefined;
    await alternate(client, {
      turns: 2,
      seconds,
      begin() {
        flood = offer({
          ratePerSecond: FLOOD_PER_SECOND,
          send: async () => {
            flooded.push(await client.generate(hot));
          },
        });
      },
      end: () => flood?.stop(),
    });
    await Promise.all([others.stop(), own.stop()]);
    const all = [...own.answers, ...flooded];
    for (const told of all) {
      const { status, reportStatus, code } = told;
      const isRight = status === 503 || status === 429 || (status === 200 && reportStatus === 'complete');
      if (status === 0) findUnanswered(tally, told, 'a generate');
      else if (!isRight) tally.find('the flood is served or refused', `${status} ${reportStatus ?? code ?? ''}`);
    }
    const served = all.filter(isComplete);
    const compared = compare(tally, { what: 'its own generates', times: OWN_TIMES, answers: served, isShort });
    return {
      ...judgeOthers(run, others),
      ownQuietP99Ms: compared.quietP99Ms,
      ownFaultP99Ms: compared.faultP99Ms,
      floodServed: flooded.filter(isComplete).length,
      floodRefused: flooded.filter(({ status }) => status === 503).length,
    };
  },
};
