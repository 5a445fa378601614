// Every table whose rows are deleted by age. Each feature defines when its own rows are due
// (docs/decisions/0142-deletion-by-age.md).
import { REPORT_TABLES } from './credit-reports/retention/retention-jobs.ts';
import { OUTBOX } from './events/jobs.ts';
import { EVIDENCES } from './evidence/jobs.ts';
import { IDEMPOTENCY_KEYS } from './idempotency/jobs.ts';
import { IDENTITY_TABLES } from './identity/provider/purge-payloads.ts';
import { MAIL_NOTICES, MAILS } from './mail/jobs.ts';
import { SIGHTINGS } from './screening/note-signals.ts';
import { ERASURES } from './subjects/jobs.ts';
import { INVITATIONS } from './tenants/jobs.ts';
import { BUREAU_SLOTS, USAGE_DAYS } from './usage/jobs.ts';
import { TEST_WALLET_LINES } from './wallet/test-mode/read-test-wallet.ts';
import { WEBHOOK_DELIVERIES, WEBHOOK_ENDPOINTS, WEBHOOK_HOSTS, WEBHOOK_USES } from './webhooks/jobs.ts';

export const AGED_TABLES = [
  ...REPORT_TABLES,
  ...IDENTITY_TABLES,
  IDEMPOTENCY_KEYS,
  OUTBOX,
  SIGHTINGS,
  MAILS,
  MAIL_NOTICES,
  INVITATIONS,
  EVIDENCES,
  ERASURES,
  USAGE_DAYS,
  BUREAU_SLOTS,
  TEST_WALLET_LINES,
  // The rows of an endpoint's deliveries refer to it, so they come first.
  WEBHOOK_DELIVERIES,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_HOSTS,
  WEBHOOK_USES,
] as const;
