// How soon deliveries are asked for again. Pure: `now` comes in.

const SOON_MS = 1_500;
const LATER_MS = 30_000;
/** How long an attempt that is due is looked for: fifteen seconds for an answer, and some to begin. One that is paused stays due. */
const DUE_MS = 20_000;

type Delivery = { readonly nextAttemptAt: string | null };

function lookMs({ nextAttemptAt }: Delivery, now: number): number {
  const leftMs = nextAttemptAt === null ? Number.NEGATIVE_INFINITY : Date.parse(nextAttemptAt) - now;
  return leftMs < -DUE_MS ? LATER_MS : Math.max(SOON_MS, leftMs);
}

/** When the first of them is attempted; often while one is, and otherwise seldom. */
export const nextLookMs = (deliveries: readonly Delivery[], now: number) =>
  Math.min(LATER_MS, ...deliveries.map((delivery) => lookMs(delivery, now)));
