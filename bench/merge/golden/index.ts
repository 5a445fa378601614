// All golden cases, by theme. Each was decided as a claims lawyer would: undecidable records are not merged, and cases
// that reasonable experts would dispute are left out.
import { CHAINS } from './chains.ts';
import { CODES } from './codes.ts';
import { DATES } from './dates.ts';
import { DUPLICATES } from './duplicates.ts';
import { GROUPS } from './groups.ts';
import { HOLDERS } from './holders.ts';
import { MONEY } from './money.ts';
import { NAMES } from './names.ts';
import { NEAR_MISSES } from './near-misses.ts';
import { ORDINARY } from './ordinary.ts';
import { SOLD_DEBT } from './sold-debt.ts';
import { TAILS } from './tails.ts';
import { TWINS } from './twins.ts';
import type { GoldenCase } from './write.ts';

export const GOLDEN: Readonly<Record<string, readonly GoldenCase[]>> = {
  ...{ ordinary: ORDINARY, tails: TAILS, dates: DATES, names: NAMES, groups: GROUPS, twins: TWINS, chains: CHAINS },
  ...{ 'sold debt': SOLD_DEBT, holders: HOLDERS, codes: CODES, money: MONEY, duplicates: DUPLICATES },
  'near misses': NEAR_MISSES,
};
