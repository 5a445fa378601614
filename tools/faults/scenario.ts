// A scenario: the stage it needs, what it does there, and what it must find. One file each in scenarios/.

import type { Edit } from '../breakages/breakages.ts';
import type { Tally } from '../chaos/tally.ts';
import type { Checked } from './books.ts';
import type { Stage, StageWish } from './stage.ts';

/** Lists have one number per turn. */
export type Figures = Record<string, number | string | readonly number[] | Readonly<Record<string, number>>>;

export type Run = {
  readonly stage: Stage;
  readonly tally: Tally;
  /** The length of one window. */
  readonly seconds: number;
  /** A run of a few seconds judges no p99: it has too few samples. */
  readonly isShort: boolean;
  readonly say: (line: string) => void;
};

export type Scenario = {
  readonly name: string;
  /** What must hold, in a sentence. */
  readonly promise: string;
  readonly wish: StageWish;
  /** Edits of the servers' copy that make something happen sooner, in the run and in its control. */
  readonly hasten?: readonly Edit[];
  /** A hung scenario is ended after this time; the default is five minutes. */
  readonly limitSeconds?: number;
  /** The default length of a window, which the command can override. */
  readonly seconds: number;
  /** How long the short version's windows are; undefined leaves it out of the short run. */
  readonly shortSeconds?: number;
  readonly play: (run: Run) => Promise<Figures>;
  /** What only the database can show, after everything has settled. */
  readonly judge?: (run: Run, checked: Checked, played: Figures) => Promise<Figures>;
};
