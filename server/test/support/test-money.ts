// Money in test mode as a developer rehearses it: reports that ask for charges, and what the test wallet and its events say.
import type { GenerateRequest } from '@trefoil/contract';
import { createTrefoil, type Trefoil } from '@trefoil/sdk';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { generateBody, type TestServer } from '../harness.ts';
import { addTenantWithOwner } from './people.ts';

export const FULL = 1_000_000;
const CHALLENGE = { challengeOptions: { status: 'challenge' } } as const;

export type Tester = { readonly tenantId: string; readonly trefoil: Trefoil };

/** A company of a test's own, through a credential that works in test mode alone. */
export async function addTester(server: TestServer): Promise<Tester> {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const { clientId, clientSecret } = await server.database.asSystem((tx) =>
    createCredential(tx, {
      ...{ tenantId, name: 'Rehearsal', ownerUserId: owner.userId, isTestOnly: true },
      scopes: ['reports:write', 'reports:read', 'wallet:read', 'events:read'],
    }),
  );
  const credential = { clientId, clientSecret: clientSecret ?? '' };
  return { tenantId, trefoil: createTrefoil({ baseUrl: server.baseUrl, tenantId, ...credential, maxRetries: 0 }) };
}

/** Three bureaus and a number: 2,000 for the report, 40 for a message. */
export const charged = (
  testOptions: GenerateRequest['testOptions'] = {},
  changes: Partial<GenerateRequest> = {},
): GenerateRequest =>
  generateBody({ mobileNumber: '+447700900123', testOptions: { ...testOptions, charges: true }, ...changes });

export async function challengeFor(
  { trefoil }: Tester,
  testOptions: GenerateRequest['testOptions'] = {},
  changes: Partial<GenerateRequest> = {},
) {
  const answer = await trefoil.generate(charged(testOptions, { ...CHALLENGE, ...changes }));
  if (answer.data.status !== 'authentication-required') throw new Error(`no challenge: ${answer.data.status}`);
  const { creditReportId, challenge } = answer.data;
  const { challengeId } = challenge;
  return {
    ...{ creditReportId, challengeId, wallet: answer.meta.wallet },
    submit: (code: string) => trefoil.submitOtp(creditReportId, { challengeId, code }),
    resend: () => trefoil.resendSms(creditReportId, { challengeId }),
    advance: (seconds: number) => trefoil.advanceTestClock(creditReportId, seconds),
  };
}

export type TestChallenge = Awaited<ReturnType<typeof challengeFor>>;

export const failByCodes = async ({ submit }: Pick<TestChallenge, 'submit'>) => {
  await submit('000000');
  await submit('000000');
  return submit('000000');
};

export const balanceOf = async ({ trefoil }: Tester) => (await trefoil.getTestWallet()).data.balance;

/** Oldest first: kind, effect and balance after it. Of one report, or all. */
export async function linesOf({ trefoil }: Tester, creditReportId?: string): Promise<string[]> {
  const lines: string[] = [];
  const query = { test: true, ...(creditReportId !== undefined && { creditReportId }) };
  for await (const { kind, amount, balanceAfter } of trefoil.listWalletEntries(query)) {
    lines.unshift(`${kind} ${amount} ${balanceAfter}`);
  }
  return lines;
}

/** As in linesOf, without balances. */
export const movesOf = async (tester: Tester, creditReportId?: string) =>
  (await linesOf(tester, creditReportId)).map((line) => line.replace(/ \d+$/, ''));
