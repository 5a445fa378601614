// What a row of the kit is: one guarantee, the place that promises it, and a check that builds its own state.
import type { Api } from './session.ts';

export type Context = {
  /** Calls the service as the credential under test. */
  readonly api: Api;
  /** Calls it as a credential of another tenant; throws Skip when the run was given none. */
  readonly other: () => Api;
};

export type Row = {
  /** Stable: breakage runs and `--only` name rows by it. */
  readonly id: string;
  /** The guarantee, as a statement. */
  readonly title: string;
  /** Which part of the interface, or which decision, promises it. */
  readonly pins: string;
  /** `slow` rows wait out real minutes; `alone` rows use up what others need (the rate limit, the test wallet), so they run last, by themselves. */
  readonly pace?: 'slow' | 'alone';
  readonly run: (context: Context) => Promise<void>;
};

/** Thrown by a row that this run cannot check. */
export class Skip extends Error {}
