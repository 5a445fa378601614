// The security page and its forms. Each form checks the required proof first (rules/step-up.ts), then does one thing.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  changePassword,
  enrolPasskey,
  enrolTotp,
  type FactorDependencies,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '../factors/change-factors.ts';
import { confirmPassword } from '../factors/confirm-password.ts';
import { describeSecurity, endOwnSignIn, noteBinding, type SecurityOptions } from '../factors/describe-security.ts';
import { readNote, writeNote } from '../factors/seal-secret.ts';
import { newTotpSecret, showTotp } from '../factors/totp.ts';
import { type AskedForLink, askForLink } from '../first-factor/factor-links.ts';
import type { FormErrors } from '../page-kit/forms.ts';
import { formOf, type PageOptions, registerPages, sendPage } from '../page-kit/page-scope.ts';
import { waitWords } from '../page-kit/page-time.ts';
import type { PersonSession, RequirePerson } from '../sessions/person-session.ts';
import { PASSWORD_FAULTS } from './password-words.ts';
import { enrolmentView, recoveryCodesView, securityView } from './security-views.ts';

export type SecurityPages = PageOptions &
  FactorDependencies &
  SecurityOptions & { readonly requirePerson: RequirePerson };

const PATH = '/v1/auth/security';
const STEP_UP = `/v1/auth/login?stepUp=true&returnTo=${PATH}`;

const DONE = new Map([
  ['password', 'Your password is changed, and your other sign-ins have ended'],
  ['link-sent', 'A link is on its way to your address. It works once, for 30 minutes'],
  ['link', 'Now set up an authenticator app or a passkey'],
  ['totp-added', 'The authenticator app is on'],
  ['totp', 'The authenticator app is removed'],
  ['passkey-added', 'The passkey is added'],
  ['passkey', 'The passkey is removed'],
  ['sign-in', 'The sign-in has ended'],
]);

const NO_LINK: Readonly<Record<Exclude<AskedForLink, 'sent'>, string>> = {
  'too-often': 'You have asked for three links within an hour. Please use the last one, or wait.',
  'has-factor': 'You have a second factor already, so you need no link.',
};

const OVERTAKEN =
  'Another request changed your codes at the same moment. If it showed new ones, they work. If you do not have them, create new codes once more.';
const PROOF_FIRST = 'Nothing was added: this page says what you must do first.';

type Visit = {
  readonly pages: SecurityPages;
  readonly session: PersonSession;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

async function show({ pages, session, request, reply }: Visit, errors: FormErrors = {}) {
  const { done } = request.query as { done?: unknown };
  const isFaulty = Object.keys(errors).length > 0;
  const doneText = isFaulty ? undefined : DONE.get(String(done));
  const numberedHost = pages.party ? undefined : new URL(pages.baseUrl).hostname;
  const view = securityView({ ...(await describeSecurity(pages, session)), numberedHost, errors, doneText });
  return sendPage(reply, view, { status: isFaulty ? 400 : 200 });
}

const goBack = ({ reply }: Visit, done: string) => reply.redirect(`${PATH}?done=${done}`, 303);

/** Runs `change` only when the person has proved what it needs; `passwordField` is where they may give a password. */
async function guarded(visit: Visit, passwordField: string | undefined, change: () => Promise<FastifyReply>) {
  const { pages, session, request, reply } = visit;
  const { needed, email } = await describeSecurity(pages, session);
  if (needed === 'second-factor') return reply.redirect(STEP_UP, 303);
  if (needed === 'link' && passwordField !== undefined) return show(visit, { '': PROOF_FIRST });
  if (needed === 'none' || passwordField === undefined) return change();
  const password = formOf(request)(passwordField);
  if (password === '') return show(visit, { [passwordField]: 'Enter your password.' });
  const verdict = await confirmPassword(pages, session.userId, { email, password, ip: request.clientAddress });
  if (verdict.kind === 'right') return change();
  return show(visit, {
    [passwordField]:
      verdict.kind === 'wrong'
        ? 'This password is not right.'
        : `There were too many attempts. Please wait ${waitWords(verdict.retryAfterSeconds)} and try again.`,
  });
}

async function takePassword(visit: Visit) {
  const { pages, session, request } = visit;
  const read = formOf(request);
  const outcome = await changePassword(pages, session, {
    current: read('current'),
    chosen: read('chosen'),
    ip: request.clientAddress,
  });
  switch (outcome.kind) {
    case 'changed':
      return goBack(visit, 'password');
    case 'wrong':
      return show(visit, { current: 'This password is not right.' });
    case 'locked':
      return show(visit, {
        current: `There were too many attempts. Please wait ${waitWords(outcome.retryAfterSeconds)} and try again.`,
      });
    case 'refused':
      return show(visit, { chosen: PASSWORD_FAULTS[outcome.fault] });
  }
}

async function showEnrolment({ pages, session, reply }: Visit, secret: string, errors: FormErrors = {}) {
  const { email } = await describeSecurity(pages, session);
  const note = writeNote(pages.seal, noteBinding('totp', session), secret, new Date());
  const view = enrolmentView({ ...showTotp(secret, email), note, errors });
  return sendPage(reply, view, { status: Object.keys(errors).length > 0 ? 400 : 200 });
}

/** The response itself shows the codes: they are stored nowhere in clear. */
async function tellAdded(visit: Visit, recoveryCodes: readonly string[], done: string) {
  return recoveryCodes.length > 0 ? sendPage(visit.reply, recoveryCodesView(recoveryCodes)) : goBack(visit, done);
}

async function takeTotp(visit: Visit) {
  const { pages, session, request } = visit;
  const read = formOf(request);
  const secret = readNote(pages.seal, noteBinding('totp', session), read('note'), new Date());
  if (secret === undefined) return show(visit, { '': 'Setting up took too long. Please begin again.' });
  const outcome = await enrolTotp(pages, session, { secret, code: read('code') });
  if (outcome.kind === 'added') return tellAdded(visit, outcome.recoveryCodes, 'totp-added');
  if (outcome.kind === 'unproved') return show(visit, { '': PROOF_FIRST });
  return showEnrolment(visit, secret, { code: 'This code is not right. Wait for the next one and try again.' });
}

async function takePasskey(visit: Visit) {
  const { pages, session, request } = visit;
  const read = formOf(request);
  const name = read('name').trim();
  if (name === '' || name.length > 100) return show(visit, { name: 'Give the passkey a name.' });
  const challenge = readNote(pages.seal, noteBinding('passkey', session), read('note'), new Date());
  if (challenge === undefined || !pages.party) {
    return show(visit, { '': 'Adding the passkey took too long. Please try again.' });
  }
  const outcome = await enrolPasskey(pages, session, { party: pages.party, challenge, answer: read('answer'), name });
  if (outcome.kind === 'added') return tellAdded(visit, outcome.recoveryCodes, 'passkey-added');
  if (outcome.kind === 'unproved') return show(visit, { '': PROOF_FIRST });
  return show(visit, { '': 'The passkey was not accepted. Please try again.' });
}

export function registerSecurityPages(app: FastifyInstance, pages: SecurityPages): void {
  const { database, requirePerson } = pages;
  const visiting =
    (take: (visit: Visit) => Promise<FastifyReply>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const session = await requirePerson(request, reply);
      return session ? take({ pages, session, request, reply }) : reply;
    };
  /** Needs a proof first; a person without a factor may have to give their password in this field. */
  const proving = (take: (visit: Visit) => Promise<FastifyReply>, passwordField?: string) =>
    visiting((visit) => guarded(visit, passwordField, () => take(visit)));

  registerPages(app, pages, (scope) => {
    scope.get(PATH, { exposeHeadRoute: false }, visiting(show));
    scope.post(`${PATH}/password`, proving(takePassword));
    scope.post(
      `${PATH}/link`,
      visiting(async (visit) => {
        const outcome = await askForLink(database, visit.session);
        return outcome === 'sent' ? goBack(visit, 'link-sent') : show(visit, { '': NO_LINK[outcome] });
      }),
    );
    scope.post(
      `${PATH}/totp`,
      proving((visit) => showEnrolment(visit, newTotpSecret()), 'totpPassword'),
    );
    // Its sealed secret comes from the previous form, which asked for the proof.
    scope.post(`${PATH}/totp/confirm`, proving(takeTotp));
    scope.post(
      `${PATH}/totp/remove`,
      proving(async (visit) => {
        await removeTotp(database, visit.session);
        return goBack(visit, 'totp');
      }),
    );
    scope.post(
      `${PATH}/recovery-codes`,
      proving(async (visit) => {
        const outcome = await renewRecoveryCodes(pages, visit.session);
        if (outcome.kind === 'renewed') return sendPage(visit.reply, recoveryCodesView(outcome.codes));
        return outcome.kind === 'overtaken' ? show(visit, { '': OVERTAKEN }) : goBack(visit, '');
      }),
    );
    scope.post(`${PATH}/passkeys`, proving(takePasskey, 'passkeyPassword'));
    scope.post(
      `${PATH}/passkeys/remove`,
      proving(async (visit) => {
        const id = Buffer.from(formOf(visit.request)('id'), 'base64url');
        await removePasskey(database, visit.session, id);
        return goBack(visit, 'passkey');
      }),
    );
    scope.post(
      `${PATH}/sign-ins/end`,
      visiting(async (visit) => {
        await endOwnSignIn(database, visit.session, formOf(visit.request)('id'));
        return goBack(visit, 'sign-in');
      }),
    );
  });
}
