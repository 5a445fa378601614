// For the jobs that finish what is due for many tenants.

/** Begins all of them; `settle` returns how many it settled. Returns the sum. */
export async function settleEach<Due>(due: Iterable<Due>, settle: (one: Due) => Promise<number>): Promise<number> {
  const done = await Promise.allSettled(Array.from(due, settle));
  const settled = done.reduce((sum, each) => sum + (each.status === 'fulfilled' ? each.value : 0), 0);
  const failed = done.find((each) => each.status === 'rejected');
  // One that cannot be settled now must not delay the others; if none was settled, the log should say why.
  if (failed && settled === 0) throw failed.reason;
  return settled;
}
