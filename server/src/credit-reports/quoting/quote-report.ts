// Says what a report would cost and whether funds and the company's own limits allow it (docs/decisions/0208-quotes.md). It
// only reads: no lock, no hold, no count, no audit row, and no question to anybody.
import type { GenerateRequest, QuoteData } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { mobileCountry } from '../../lib/values/phone.ts';
import { listSmsSettings } from '../../tenants/find-settings.ts';
import { listCurrentPrices } from '../../wallet/read-prices.ts';
import { readAvailable, readSmsUses } from '../../wallet/read-wallet.ts';
import { priceOfReport } from '../../wallet/rules/price-list.ts';
import { readTestBalance } from '../../wallet/test-mode/read-test-wallet.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { requireConfigured, requireLive } from '../live/require-live.ts';
import { findOwnUses, type OwnNumberUses } from '../messages/mobile-store.ts';
import { SENDS_MAX } from '../rules/challenge.ts';
import { TENANT_CAPS } from '../rules/mobile-caps.ts';
import { type OwnUses, ownLimits } from '../rules/own-limits.ts';
import { requirePossible } from '../sandbox/require-possible.ts';

const UNUSED: OwnNumberUses = { challenges: 0, messages: 0, mistakes: 0, freeAt: null };

async function readUses(
  tx: Tx,
  { live }: ReportDependencies,
  tenantId: string,
  { mobileNumber }: GenerateRequest,
): Promise<Omit<OwnUses, 'priceCredits'>> {
  // Without providers no number has ever been used.
  const numberHashes = mobileNumber === undefined ? undefined : live?.hashMobile.every(mobileNumber);
  const [[settings], uses, ofNumber] = await Promise.all([
    listSmsSettings(tx, [tenantId]),
    readSmsUses(tx, tenantId),
    numberHashes ? findOwnUses(tx, { tenantId, numberHashes }, TENANT_CAPS) : undefined,
  ]);
  if (!settings) throw new Error('a tenant is gone');
  const { freeAt, ...counts } = ofNumber ?? UNUSED;
  return {
    country: mobileNumber === undefined ? undefined : mobileCountry(mobileNumber),
    countries: settings.countries,
    ofNumber: counts,
    numberFreeAt: freeAt,
    budget: settings,
    used: uses,
    dayEndsAt: uses.dayEndsAt,
    minuteEndsAt: uses.minuteEndsAt,
  };
}

export async function quoteReport(
  dependencies: ReportDependencies,
  caller: Caller,
  request: GenerateRequest,
): Promise<QuoteData> {
  const { tenantId } = caller;
  const { bureaus, mobileNumber } = request;
  requirePossible(caller, request);
  if (!request.test) requireConfigured(requireLive(dependencies), bureaus);
  const [prices, available, uses] = await dependencies.database.forTenants([tenantId], (tx) =>
    Promise.all([
      listCurrentPrices(tx, [tenantId]),
      request.testOptions?.charges ? readTestBalance(tx, tenantId) : readAvailable(tx, tenantId),
      readUses(tx, dependencies, tenantId, request),
    ]),
  );
  const price = prices.get(tenantId);
  if (!price) throw new Error('a tenant has no prices');
  const ofReport = priceOfReport(price, bureaus.length);
  const withMessages = (count: number) => ofReport + (mobileNumber === undefined ? 0 : price.sms * count);
  const required = withMessages(1);
  return {
    test: request.test === true,
    report: price.report,
    bureaus: bureaus.map((bureau) => ({ bureau, credits: price.bureau })),
    message: price.sms,
    maximum: withMessages(SENDS_MAX),
    funds: { required, available, sufficient: available >= required },
    limits: ownLimits({ ...uses, priceCredits: price.sms }),
  };
}
