// Registers every page for people together (docs/decisions/0131-pages.md).
import type { FastifyInstance } from 'fastify';
import { type ConsentPage, registerConsentPage } from '../sign-in/consent-page.ts';
import { registerSignInPages } from '../sign-in/sign-in-pages.ts';
import type { SignInPages } from '../sign-in/sign-in-steps.ts';
import { type AccountPages, registerAccountPages } from './account-pages.ts';
import { registerCredentialPage } from './credential-page.ts';
import { type FirstFactorPage, registerFirstFactorPage } from './first-factor-page.ts';
import { type InvitationPage, registerInvitationPage } from './invitation-page.ts';
import { type ResetPages, registerResetPages } from './reset-pages.ts';
import { registerSecurityPages, type SecurityPages } from './security-pages.ts';
import { registerStartPage, type StartPage } from './start-page.ts';

export type PersonPages = SignInPages &
  ConsentPage &
  AccountPages &
  SecurityPages &
  ResetPages &
  FirstFactorPage &
  InvitationPage &
  StartPage;

export function registerPersonPages(app: FastifyInstance, pages: PersonPages): void {
  registerStartPage(app, pages);
  registerSignInPages(app, pages);
  registerConsentPage(app, pages);
  registerAccountPages(app, pages);
  registerCredentialPage(app, pages);
  registerSecurityPages(app, pages);
  registerResetPages(app, pages);
  registerFirstFactorPage(app, pages);
  registerInvitationPage(app, pages);
}
