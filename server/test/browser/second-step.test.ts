// The authenticator app and recovery codes in a real browser, and all of it without JavaScript too.
import { expect, test } from 'vitest';
import { lookAt } from '../support/chromium.ts';
import { codeOf, enterSignedIn, followFactorLink, turnAppOn } from '../support/person-pages.ts';
import { useSignInPages } from '../support/sign-in-pages.ts';

const { server, person, newPage, typePassword, forgetStep, signOut, expectNoComplaints } = useSignInPages();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? '' : ', without JavaScript';
  test(`an authenticator app is enrolled, asked for at the next sign-in, and a recovery code stands in${how}`, async () => {
    const page = await newPage({ javaScriptEnabled });
    await enterSignedIn(page, server(), person());
    await followFactorLink(page, server(), person().userId);
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await page.getByLabel('Code from the app').fill('000000');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.locator('.summary').getByText('This code is not right').waitFor();
    if (javaScriptEnabled) await lookAt(page, 'totp-enrolment');
    const { secret, recoveryCodes } = await turnAppOn(page);
    expect(recoveryCodes).toHaveLength(10);
    if (javaScriptEnabled) await lookAt(page, 'recovery-codes');
    await page.getByRole('link', { name: 'I have saved them' }).click();
    await page.waitForURL('**/v1/auth/security');
    await signOut(page);
    // The same code must not open the door a second time.
    await page.goto('/v1/auth/login');
    await typePassword(page);
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    if (javaScriptEnabled) await lookAt(page, 'second-step');
    await forgetStep();
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/v1/auth/account');
    await page.context().clearCookies();
    await page.goto('/v1/auth/login');
    await typePassword(page);
    await page.getByText('Use a recovery code instead').click();
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: 'Use this code' }).click();
    await page.waitForURL('**/v1/auth/account');
    expectNoComplaints();
  });
}
