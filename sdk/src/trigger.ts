// Makes an event of test mode happen, by the requests that cause it: a real report of test mode, which can be read afterwards, or a
// reset of the test wallet.
import type { GenerateRequest, Trefoil } from './index.ts';

/** An invented person, of reserved numbers and addresses. */
const REQUEST: GenerateRequest = {
  test: true,
  sessionId: 'trigger',
  bureaus: ['equifax', 'experian', 'transunion'],
  ipAddress: '192.0.2.1',
  searchType: 'pcp',
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  mobileNumber: '+447700900123',
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '14', townOrCity: 'Ludforth', postcode: 'HR10 2AB' } }],
};

type Cause = Pick<GenerateRequest, 'challengeOptions' | 'testOptions'> & { readonly next?: 'code' | 'expiry' };

const CHALLENGE = { challengeOptions: { status: 'challenge' } } as const;

const CAUSES: Readonly<Record<string, Cause>> = {
  'credit-report.completed': { challengeOptions: { status: 'allow' } },
  'credit-report.challenged': CHALLENGE,
  'credit-report.blocked': { challengeOptions: { status: 'block' } },
  'credit-report.failed': { testOptions: { outcome: 'failed', reason: 'no-bureau-answered' } },
  'credit-report.expired': { ...CHALLENGE, next: 'expiry' },
  'challenge.sent': CHALLENGE,
  'challenge.delivered': CHALLENGE,
  'challenge.undelivered': { ...CHALLENGE, testOptions: { receipt: 'undelivered' } },
  'challenge.verified': { ...CHALLENGE, next: 'code' },
  'wallet.charged': { testOptions: { charges: true } },
  'wallet.refunded': { ...CHALLENGE, testOptions: { charges: true }, next: 'expiry' },
};

const ADJUSTED = 'wallet.adjusted';

/** What can be triggered. Events about the wallet are about the test wallet. */
export const TRIGGERS = [...Object.keys(CAUSES), ADJUSTED];

/** The code of every test challenge, and more than the five minutes of one. */
const CODE = '123456';
const EXPIRY_SECONDS = 301;

/** Not what a reset without a number leaves. */
const OTHER_CREDITS = 999_999;

/** Says what it happened to. Throws a TypeError for a type that it cannot cause. */
export async function trigger(
  trefoil: Pick<Trefoil, 'generate' | 'submitOtp' | 'advanceTestClock' | 'resetTestWallet'>,
  type: string,
): Promise<string> {
  if (type === ADJUSTED) {
    // The first leaves another balance, so that the second changes it whatever it was.
    await trefoil.resetTestWallet(OTHER_CREDITS);
    return `test wallet with ${(await trefoil.resetTestWallet()).data.balance} credits`;
  }
  const cause = Object.hasOwn(CAUSES, type) ? CAUSES[type] : undefined;
  if (!cause) throw new TypeError(`There is no "${type}" to trigger. Use one of: ${TRIGGERS.join(', ')}.`);
  const { next, ...wanted } = cause;
  const { data } = await trefoil.generate({ ...REQUEST, ...wanted });
  const { creditReportId } = data;
  if (next === 'expiry') await trefoil.advanceTestClock(creditReportId, EXPIRY_SECONDS);
  if (next === 'code' && data.status === 'authentication-required') {
    await trefoil.submitOtp(creditReportId, { challengeId: data.challenge.challengeId, code: CODE });
  }
  return `report ${creditReportId}`;
}
