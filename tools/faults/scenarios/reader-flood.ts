// One tenant reads one of its reports as fast as it gets answers, over many connections. Reads are audited, so they
// write; they must slow down neither the other tenants nor, much, the tenant's own generates.
import { tenantRequest } from '../client.ts';
import { findUnanswered } from '../find-unanswered.ts';
import { loop, type Offer } from '../load.ts';
import { judgeOthers, watchGenerates } from '../others.ts';
import type { Scenario } from '../scenario.ts';
import { alternate, compare } from '../windows.ts';

const READERS = 64;
const OWN_TIMES = 5;

export const readerFlood: Scenario = {
  name: 'reader-flood',
  promise: "one tenant's 64 readers slow down neither the other tenants nor, much, its own generates",
  wish: {},
  seconds: 13,
  async play(run) {
    const { stage, tally, seconds, isShort } = run;
    const { client, hot, tenantOf } = stage;
    const { creditReportId } = await client.generate(hot);
    const read = tenantRequest(hot, `/v1/credit-reports/${creditReportId}`);
    const others = watchGenerates(run, tenantOf);
    const own = watchGenerates(run, () => hot);
    let readers: Offer | undefined;
    let reads = 0;
    await alternate(client, {
      turns: 2,
      seconds,
      begin() {
        readers = loop(READERS, async () => {
          const reply = await client.ask(read);
          const { status } = reply;
          if (status === 200) reads += 1;
          else if (status === 0) findUnanswered(tally, reply, 'a read');
          else if (status !== 503) tally.find('a read is answered with 200 or 503', String(status));
        });
      },
      end: () => readers?.stop(),
    });
    await Promise.all([others.stop(), own.stop()]);
    const compared = compare(tally, { what: 'its own generates', times: OWN_TIMES, answers: own.answers, isShort });
    return {
      ...judgeOthers(run, others),
      ownQuietP99Ms: compared.quietP99Ms,
      ownFaultP99Ms: compared.faultP99Ms,
      readsPerSecond: Math.round(reads / (2 * seconds)),
    };
  },
};
