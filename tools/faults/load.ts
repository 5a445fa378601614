// The two kinds of load: an open loop, where a request is sent when it is due regardless of the earlier ones, and a
// closed loop, where each client sends its next request after the answer to its last.
import { setTimeout as sleep } from 'node:timers/promises';

export type Offer = {
  /** Sends no more and waits for the pending answers. */
  stop(): Promise<void>;
};

const PACE_MS = 4;
/** A process has a limit on open files; requests due beyond this number are not sent, but counted. */
export const UNDER_WAY_MAX = 8_000;

export type OfferOptions = {
  readonly ratePerSecond: number;
  readonly send: (number: number) => Promise<unknown>;
  readonly onUnsent?: () => void;
};

export function offer({ ratePerSecond, send, onUnsent }: OfferOptions): Offer {
  const underWay = new Set<Promise<unknown>>();
  const startedMs = performance.now();
  let issued = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * ratePerSecond);
    for (; issued < due; issued += 1) {
      if (underWay.size >= UNDER_WAY_MAX) {
        onUnsent?.();
        continue;
      }
      const sent = send(issued).finally(() => underWay.delete(sent));
      underWay.add(sent);
    }
  }, PACE_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

export async function offerFor(options: OfferOptions, seconds: number): Promise<void> {
  const offered = offer(options);
  await sleep(seconds * 1_000);
  await offered.stop();
}

/** The clients start one after the other over this time, so that they do not all wait for the same moments. */
export function loop(clients: number, send: (number: number) => Promise<unknown>, spreadMs = 0): Offer {
  let isStopped = false;
  let number = 0;
  const looping = Promise.all(
    Array.from({ length: clients }, async (_, place) => {
      await sleep((place / clients) * spreadMs);
      while (!isStopped) await send(number++);
    }),
  );
  return {
    async stop() {
      isStopped = true;
      await looping;
    },
  };
}
