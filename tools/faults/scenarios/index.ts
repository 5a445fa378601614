// All scenarios, in the order in which they run: what the service stands on fails, and what companies do to each other.
import type { Scenario } from '../scenario.ts';
import { away7s, away25s } from './away.ts';
import { blackHole } from './black-hole.ts';
import { clockJump } from './clock-jump.ts';
import { fullDisk } from './full-disk.ts';
import { heldWallet } from './held-wallet.ts';
import { longRetention } from './long-retention.ts';
import { MISUSES_OF_WEBHOOKS } from './misuse.ts';
import { overload3x, overload10x } from './overload.ts';
import { readerFlood } from './reader-flood.ts';
import { receiptBurst } from './receipt-burst.ts';
import { redisGone, redisSlow } from './redis.ts';
import { slowBureaus } from './slow-bureaus.ts';
import { stall } from './stall.ts';
import { stoppedTenant } from './stopped-tenant.ts';
import { tenantFlood } from './tenant-flood.ts';
import { waitingNotices } from './waiting-notices.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...[blackHole, stall, away7s, away25s],
  ...[overload3x, overload10x, slowBureaus],
  ...[receiptBurst, heldWallet, readerFlood, tenantFlood],
  ...[fullDisk, redisGone, redisSlow, clockJump],
  longRetention,
];

export const MISUSES: readonly Scenario[] = [...MISUSES_OF_WEBHOOKS, waitingNotices, stoppedTenant];
