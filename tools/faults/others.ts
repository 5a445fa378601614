// The other tenants: generates at a steady pace through quiet and fault windows alike, about one bureau each, so that a
// thousand of them in each kind of window leave the machine free for the measurement.
import type { StageTenant } from '../../bench/speed/stage.ts';
import { type Offer, offer } from './load.ts';
import { isComplete, type Told } from './records.ts';
import type { Figures, Run } from './scenario.ts';
import { compare } from './windows.ts';

export type Watched = Offer & { readonly answers: readonly Told[] };

const RATE = 40;
/** Of all answers in a fault window: a tenant that does not cause the fault is served, not refused. */
const SERVED_SHARE = 0.99;

/** Generates of these tenants in turn. */
export function watchGenerates({ stage: { client } }: Run, tenantOf: (number: number) => StageTenant): Watched {
  const answers: Told[] = [];
  const offered = offer({
    ratePerSecond: RATE,
    send: async (number) => {
      answers.push(await client.generate(tenantOf(number), { bureaus: ['equifax'] }));
    },
  });
  return { answers, stop: () => offered.stop() };
}

/** They are served, and take at most three times as long as in the quiet windows. */
export function judgeOthers({ tally, isShort }: Run, { answers }: Watched): Figures {
  const inFault = answers.filter(({ window }) => window === 'fault');
  const served = inFault.filter(isComplete).length;
  if (served < SERVED_SHARE * inFault.length) {
    tally.find('the other tenants are served', `${served} of ${inFault.length} generates`);
  }
  const { quietP99Ms, faultP99Ms, samples } = compare(tally, {
    what: "the other tenants' generates",
    times: 3,
    answers,
    isShort,
  });
  return { othersQuietP99Ms: quietP99Ms, othersFaultP99Ms: faultP99Ms, othersSamples: samples, othersServed: served };
}
