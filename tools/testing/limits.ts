// How long a test and a hook may take. Tests are fast everywhere; these limits are for a machine that other programs keep busy, so no
// test sets a lower one (steady.ts).
export const TEST_LIMIT_MS = 60_000;
export const HOOK_LIMIT_MS = 120_000;
