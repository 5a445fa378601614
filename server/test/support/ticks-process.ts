// The process of a measured node: the real app, and beside it the meter of ticks.ts on its event loop. Started by
// measured-node.ts, which it tells the worst turn; tests do not import it.
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { cpuMs, createTickMeter } from './ticks.ts';

const meter = createTickMeter();
// A timer cannot come in the middle of a turn. A loop of setImmediate would keep an idle node busy.
setInterval(meter.look, 1);

/** For the control: one turn that blocks. */
function block(ms: number): void {
  const endMs = cpuMs() + ms;
  while (cpuMs() < endMs);
}

process.on('message', (message: 'take' | { readonly blockMs: number }) => {
  if (message === 'take') process.send?.({ worstMs: meter.takeWorstMs() });
  else setImmediate(() => block(message.blockMs));
});

const app = await createApp(loadConfig());
await app.listen();
process.send?.('listening');
process.once('disconnect', () => process.exit(0));
