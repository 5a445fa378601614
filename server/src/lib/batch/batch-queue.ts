// The parts of a group-commit queue, and how a call leaves it. batch-run.ts executes one run; batch-schedule.ts starts runs
// and decides what happens to their calls.

import { createFairLines, type FairLines } from '../limits/fair-lines.ts';
import { type Call, type HELD, move, type RunOrder } from './batch-call.ts';
import { createParking, type Parking } from './batch-parking.ts';
import { createRest, type Rest } from './batch-rest.ts';
import { type Bounds, createRoom, type Room } from './batch-room.ts';

export type RunItems<Item, Result> = (
  items: readonly Item[],
  order: RunOrder,
) => Promise<readonly (Result | typeof HELD)[]>;

export type QueueOptions<Item, Result> = {
  readonly run: RunItems<Item, Result>;
  readonly limitOf: (rank: number) => number;
  readonly itemsMax: number;
  readonly parkedRunsMax: number;
  readonly bounds: Bounds;
};

/** A run with calls of several groups. */
export type SharedRun = { readonly groups: ReadonlySet<string>; readonly size: number; readonly startedMs: number };

export type Queue<Item, Result> = Pick<QueueOptions<Item, Result>, 'run' | 'limitOf' | 'itemsMax'> & {
  readonly waiting: FairLines<Call<Item, Result>>;
  readonly parking: Parking<Call<Item, Result>>;
  readonly runs: Set<SharedRun>;
  readonly room: Room;
  readonly rest: Rest;
  /** `beginRuns` is already scheduled for the end of this event-loop tick. */
  isWoken: boolean;
  /** The age of the oldest waiting call when the deadlines were last checked. */
  oldestMs: number;
  /** Checks the deadlines as long as calls wait. */
  ticker: NodeJS.Timeout | undefined;
};

export function createQueue<Item, Result>(options: QueueOptions<Item, Result>): Queue<Item, Result> {
  const { run, limitOf, itemsMax, parkedRunsMax, bounds } = options;
  return {
    run,
    limitOf,
    itemsMax,
    waiting: createFairLines(),
    parking: createParking(parkedRunsMax),
    runs: new Set(),
    room: createRoom(bounds),
    rest: createRest(),
    isWoken: false,
    oldestMs: 0,
    ticker: undefined,
  };
}

export function answer<Item, Result>({ room }: Queue<Item, Result>, call: Call<Item, Result>, result: Result): void {
  move(call, 'answered');
  room.count(call, -1);
  call.resolve(result);
}

export function refuse<Item, Result>({ room }: Queue<Item, Result>, call: Call<Item, Result>, error: unknown): void {
  move(call, 'refused');
  room.count(call, -1);
  call.reject(error);
}
