// All pages people see, registered together (docs/decisions/0131).
import type { FastifyInstance } from 'fastify';
import type { SignInPages } from '../sign-in/sign-in-steps.ts';
import { type AccountPages, registerAccountPages } from './account-pages.ts';
import { type ConsentPage, registerConsentPage } from './consent-page.ts';
import { type InvitationPage, registerInvitationPage } from './invitation-page.ts';
import { type ResetPages, registerResetPages } from './reset-pages.ts';
import { registerSecurityPages, type SecurityPages } from './security-pages.ts';
import { registerSignInPages } from './sign-in-pages.ts';

export type PersonPages = SignInPages & ConsentPage & AccountPages & SecurityPages & ResetPages & InvitationPage;

export function registerPersonPages(app: FastifyInstance, pages: PersonPages): void {
  registerSignInPages(app, pages);
  registerConsentPage(app, pages);
  registerAccountPages(app, pages);
  registerSecurityPages(app, pages);
  registerResetPages(app, pages);
  registerInvitationPage(app, pages);
}
