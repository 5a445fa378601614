// Mobile numbers of the reserved range, each lent to one consumer at a time, and the codes that arrive on them. The last
// three digits decide what the carrier does with a message (simulators/WIRE.md, section 7).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../bench/merge/random.ts';

type Range = { readonly hundred: number; readonly weight: number; readonly isReached: boolean };

/** Few that hang: each occupies a connection to the carrier for ten seconds. */
const RANGES: readonly Range[] = [
  { hundred: 0, weight: 34, isReached: true },
  { hundred: 9, weight: 16, isReached: true },
  { hundred: 1, weight: 12, isReached: true },
  { hundred: 2, weight: 9, isReached: true },
  { hundred: 3, weight: 6, isReached: true },
  { hundred: 4, weight: 8, isReached: true },
  { hundred: 5, weight: 6, isReached: true },
  { hundred: 6, weight: 4, isReached: false },
  { hundred: 7, weight: 4, isReached: true },
  { hundred: 8, weight: 1, isReached: false },
];
const NUMBERS_PER_RANGE = 100;
const POLL_MS = 200;

export type Phone = {
  readonly number: string;
  /** False where no message ever arrives. */
  readonly isReached: boolean;
  /** The code of a message that this consumer has not read yet; undefined when none comes in time. */
  nextCode(patienceMs: number): Promise<string | undefined>;
  giveBack(): void;
};

export type Phones = { lend(): Promise<Phone> };

type Message = { readonly sid: string; readonly body: string };

/** Once the signal is aborted, nobody waits for a code any more. */
export function createPhones(carrierUrl: string, random: Random, signal?: AbortSignal): Phones {
  const lent = new Set<string>();
  /** Messages that a consumer has read, so that the number's next consumer does not use an old one. */
  const readSids = new Set<string>();
  const nextOf = new Map<number, number>();

  async function listUnread(number: string): Promise<Message[]> {
    const response = await fetch(`${carrierUrl}/inbox.json?to=${encodeURIComponent(number)}`).catch(() => undefined);
    const messages = response?.ok ? ((await response.json()) as Message[]) : [];
    return messages.filter(({ sid }) => !readSids.has(sid));
  }

  /** In rotation, so that a number rests as long as possible: a late message finds no consumer. */
  function take({ hundred }: Range): string {
    const place = nextOf.get(hundred) ?? 0;
    nextOf.set(hundred, (place + 1) % NUMBERS_PER_RANGE);
    return `+447700900${hundred}${String(place).padStart(2, '0')}`;
  }

  return {
    async lend() {
      let range = random.pickWeighted(RANGES, ({ weight }) => weight);
      let number = take(range);
      while (lent.has(number)) {
        range = random.pickWeighted(RANGES, ({ weight }) => weight);
        number = take(range);
        await sleep(1);
      }
      lent.add(number);
      for (const { sid } of range.isReached ? await listUnread(number) : []) readSids.add(sid);
      return {
        number,
        isReached: range.isReached,
        async nextCode(patienceMs) {
          const endMs = performance.now() + patienceMs;
          while (performance.now() < endMs && !signal?.aborted) {
            const [newest, ...older] = await listUnread(number);
            for (const { sid } of newest ? [newest, ...older] : []) readSids.add(sid);
            const code = newest && /\b\d{6}\b/.exec(newest.body)?.[0];
            if (code !== undefined) return code;
            await sleep(POLL_MS);
          }
          return undefined;
        },
        giveBack: () => lent.delete(number),
      };
    },
  };
}
