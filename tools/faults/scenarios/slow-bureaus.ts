// The bureaus take two seconds, and the load exceeds the product's own number of places: a report that cannot be asked for
// is refused before anything is written, and no tenant pays for a report that lacks a bureau because of a missing place.
import { findUnanswered } from '../find-unanswered.ts';
import { judgeFailures } from '../judge-failures.ts';
import { offerFor } from '../load.ts';
import { isComplete } from '../records.ts';
import type { Scenario } from '../scenario.ts';

const RATE = 40;

export const slowBureaus: Scenario = {
  name: 'slow-bureaus',
  promise: 'with bureaus at two seconds each report is whole or refused with 503, none fails',
  wish: { bureauMs: 2_000 },
  seconds: 25,
  shortSeconds: 8,
  async play({ stage: { client, tenantOf }, tally, seconds }) {
    await offerFor({ ratePerSecond: RATE, send: (number) => client.generate(tenantOf(number)) }, seconds);
    const answers = client.operations.flatMap((operation) => operation.answers);
    for (const told of answers) {
      const { status } = told;
      if (status === 0) findUnanswered(tally, told, 'a generate');
      else if (status !== 200 && status !== 503) tally.find('the rest is refused with 503', String(status));
    }
    return { ratePerSecond: RATE, complete: answers.filter(isComplete).length };
  },
  judge: judgeFailures,
};
