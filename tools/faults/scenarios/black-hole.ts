// The connections to the database go silent, without an end or a reset, while new ones work: the host lost power
// and its address has moved to another host.
import type { Scenario } from '../scenario.ts';
import { playSilence } from '../silence.ts';

export const blackHole: Scenario = {
  name: 'black-hole',
  promise: 'connections to the database that go silent are noticed, told and replaced within 10 s',
  wish: { isProxied: true },
  seconds: 2,
  shortSeconds: 1,
  play: (run) =>
    playSilence(run, {
      begin: () => run.stage.proxy?.silence(),
      end: () => undefined,
      unreachableSeconds: 0,
      turns: run.isShort ? 1 : 2,
    }),
};
