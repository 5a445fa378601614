// Nothing passes between the service and its database, on old and new connections, and then everything does: data sent
// before arrives late, even when its sender has given up.
import type { Scenario } from '../scenario.ts';
import { playSilence } from '../silence.ts';

export const stall: Scenario = {
  name: 'stall',
  promise: 'while nothing passes to the database every request is answered in time, and afterwards all goes on',
  wish: { isProxied: true },
  seconds: 12,
  play: (run) =>
    playSilence(run, {
      begin: () => run.stage.proxy?.stall(),
      end: () => run.stage.proxy?.resume(),
      unreachableSeconds: run.seconds,
      turns: 2,
    }),
};
