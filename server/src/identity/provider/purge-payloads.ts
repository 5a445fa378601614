// Deletes expired sessions, codes and assertion ids, sign-ins older than a month and links older than a week.
import type { Database } from '../../lib/postgres/database.ts';
import { forgetNow, type Retained } from '../../lib/postgres/retention.ts';
import { FACTOR_LINKS } from '../first-factor/factor-link-store.ts';
import { SIGN_INS } from '../sessions/sign-in-store.ts';
import { PAYLOADS } from './payload-store.ts';

export const IDENTITY_TABLES: readonly Retained[] = [PAYLOADS, SIGN_INS, FACTOR_LINKS];

export function purgePayloads(database: Database): Promise<number> {
  return forgetNow(database, IDENTITY_TABLES);
}
