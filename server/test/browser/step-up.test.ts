// People in a real browser: a fresh second factor, and a passkey.
import { test } from 'vitest';
import { addAuthenticator, lookAt } from '../support/chromium.ts';
import { enterSignedIn, takeCookies } from '../support/person-pages.ts';
import { codeOf, enrolTotp, followFactorLink } from '../support/sign-in.ts';
import { useSignInPages } from '../support/sign-in-pages.ts';

const { server, person, newPage, forgetStep, expectNoComplaints } = useSignInPages();

test('step-up asks somebody who is signed in for the second factor alone, and brings them back', async () => {
  const page = await newPage();
  const browser = await enterSignedIn(page, server(), person());
  await page.goto('/v1/auth/login?stepUp=true&returnTo=/v1/auth/security');
  await page.getByRole('heading', { name: 'Set up a second factor first' }).waitFor();
  await lookAt(page, 'step-up-none');
  await page.getByRole('link', { name: 'Go to your security settings' }).click();
  await page.waitForURL('**/v1/auth/security');
  const { secret } = await enrolTotp(server(), browser, person());
  await takeCookies(page, browser);
  await page.reload();
  await page.getByRole('link', { name: 'Confirm that it is you' }).waitFor();
  await lookAt(page, 'security-locked');
  await page.getByRole('link', { name: 'Confirm that it is you' }).click();
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  await lookAt(page, 'step-up');
  await forgetStep();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/v1/auth/security');
  await page.getByRole('button', { name: 'Remove the app' }).click();
  await page.getByText('The authenticator app is removed').waitFor();
  expectNoComplaints();
});

test('a passkey is added, signs its person in alone, and can be removed after a fresh proof', async () => {
  const page = await newPage();
  await addAuthenticator(page);
  // The stand-in device would answer the quiet offer beside the form at once, before anybody can press the button.
  await page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable');
  const browser = await enterSignedIn(page, server(), person());
  await followFactorLink(server(), browser, person().userId);
  await takeCookies(page, browser);
  await page.goto('/v1/auth/security');
  await page.getByLabel('Name of the new passkey').fill('Work laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await page.context().clearCookies();
  await page.goto('/v1/auth/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/v1/auth/account');
  await page.goto('/v1/auth/security');
  await page.getByText('Work laptop', { exact: true }).waitFor();
  await lookAt(page, 'security-passkey');
  await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click();
  await page.getByText('The passkey is removed').waitFor();
  expectNoComplaints();
});
