// Every row of the kit, in the order it is printed.
import type { Row } from '../row.ts';
import { accountRows } from './account.ts';
import { addressRows } from './addresses.ts';
import { coverageRows } from './coverage.ts';
import { documentRows } from './documents.ts';
import { envelopeRows } from './envelope.ts';
import { errorRows } from './errors.ts';
import { evidenceRows } from './evidence.ts';
import { fieldRows } from './fields.ts';
import { fingerprintRows } from './fingerprint.ts';
import { hintRows } from './hints.ts';
import { idempotencyRows } from './idempotency.ts';
import { managementRows } from './management.ts';
import { notFoundRows } from './not-found.ts';
import { orderRows } from './order.ts';
import { otpRows } from './otp.ts';
import { outcomeRows } from './outcomes.ts';
import { quoteRows } from './quotes.ts';
import { rateLimitRows } from './rate-limits.ts';
import { readingRows } from './reading.ts';
import { readingListRows } from './reading-lists.ts';
import { readingWalletRows } from './reading-wallet.ts';
import { reportRows } from './report.ts';
import { resendRows } from './resend.ts';
import { sandboxAidRows } from './sandbox-aids.ts';
import { sandboxErrorRows } from './sandbox-errors.ts';
import { sandboxMoneyRows } from './sandbox-money.ts';
import { sandboxOutcomeRows } from './sandbox-outcomes.ts';
import { scenarioRows } from './scenarios.ts';
import { seeingRows } from './seeing.ts';
import { slowRows } from './slow.ts';
import { subjectRows } from './subjects.ts';
import { tokenRows } from './tokens.ts';

export const ROWS: readonly Row[] = [
  ...envelopeRows,
  ...outcomeRows,
  ...scenarioRows,
  ...reportRows,
  ...coverageRows,
  ...fieldRows,
  ...addressRows,
  ...otpRows,
  ...resendRows,
  ...notFoundRows,
  ...errorRows,
  ...hintRows,
  ...orderRows,
  ...accountRows,
  ...readingRows,
  ...readingListRows,
  ...readingWalletRows,
  ...documentRows,
  ...evidenceRows,
  ...seeingRows,
  ...sandboxOutcomeRows,
  ...sandboxErrorRows,
  ...sandboxAidRows,
  ...sandboxMoneyRows,
  ...quoteRows,
  ...managementRows,
  ...subjectRows,
  ...fingerprintRows,
  ...tokenRows,
  ...idempotencyRows,
  ...rateLimitRows,
  ...slowRows,
];
