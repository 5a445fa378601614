// A person signs in with a password in a real browser. With a second factor: second-step.test.ts.
import { expect, test } from 'vitest';
import { lookAt } from '../support/chromium.ts';
import { pathOf } from '../support/person-pages.ts';
import { useSignInPages } from '../support/sign-in-pages.ts';

const { person, newPage, typePassword, signOut, expectNoComplaints } = useSignInPages();

test('a person signs in with a password, sees their account and signs out; every page is accessible', async () => {
  const page = await newPage();
  await page.goto('/v1/auth/account');
  expect(pathOf(page)).toMatch(/^\/v1\/auth\/sign-in\//);
  await lookAt(page, 'sign-in');
  await typePassword(page, 'not the password at all');
  await page.getByText('The e-mail address or the password is not right.').waitFor();
  expect(await page.evaluate('document.activeElement.className')).toBe('summary');
  await lookAt(page, 'sign-in-wrong');
  await typePassword(page);
  await page.waitForURL('**/v1/auth/account');
  await page.getByText(person().email).waitFor();
  await lookAt(page, 'account');
  await page.goto('/v1/auth/security');
  await lookAt(page, 'security');
  await signOut(page);
  await lookAt(page, 'signed-out');
  await page.goto('/v1/auth/account');
  expect(pathOf(page)).toMatch(/^\/v1\/auth\/sign-in\//);
  expectNoComplaints();
});
