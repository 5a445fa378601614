// The steps of a sign-in: what each shows, and what a password, a code or a passkey leads to.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { describeError } from '../../lib/log.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { FindAppName } from '../apps/find-app-name.ts';
import type { CheckPassword } from '../factors/check-password.ts';
import { checkSecondFactor, type FactorCode, type SecondFactorOptions } from '../factors/check-second-factor.ts';
import { type FactorSummary, getFactorSummary } from '../factors/factor-store.ts';
import { findPasskeyPerson, passkeyRequest, type RelyingParty } from '../factors/passkeys.ts';
import type { FormErrors } from '../page-kit/forms.ts';
import { formOf, formTargetOf, type PageOptions, sendPage } from '../page-kit/page-scope.ts';
import { waitWords } from '../page-kit/page-time.ts';
import { auditPerson } from '../people/audit-person.ts';
import { ONE_FACTOR, TWO_FACTORS } from '../provider/interaction-policy.ts';
import { WEB_CLIENT_ID } from '../rules/own-client.ts';
import { type GivenPassword, takeChosen } from './chosen-password.ts';
import type { OpenInteraction } from './open-interaction.ts';
import { noFactorView, secondFactorView, signInView } from './sign-in-views.ts';

export type SignInPages = PageOptions &
  SecondFactorOptions & {
    readonly database: Database;
    readonly provider: Provider;
    readonly checkPassword: CheckPassword;
    /** Undefined where the server's host is an IP address. */
    readonly party: RelyingParty | undefined;
    /** The name of an application other than our own. */
    readonly findAppName: FindAppName;
  };

const actionOf = (uid: string) => `/v1/auth/sign-in/${encodeURIComponent(uid)}`;

const PASSWORD_WRONG = 'The e-mail address or the password is not right.';
const CODE_WRONG = 'This code is not right, or was used already.';
const PASSKEY_WRONG = 'The passkey was not accepted. Try again, or sign in another way.';

export type Step = {
  readonly pages: SignInPages;
  readonly interaction: OpenInteraction;
  readonly reply: FastifyReply;
};

/** The person who must prove a second factor here; undefined until a password is given. */
const subjectOf = ({ progress, wantsSecondFactor, session }: OpenInteraction) =>
  progress.userId ?? (wantsSecondFactor ? session?.userId : undefined);

async function passkeyOptions({ pages: { database, party }, interaction }: Step, userId: string | undefined) {
  if (!party) return undefined;
  const options = await database.asSystem((tx) => passkeyRequest(tx, party, userId));
  await interaction.save({ ...interaction.progress, challenge: options.challenge });
  return options;
}

/** A person who must wait also gets the 429 status. */
const sending = ({ interaction, reply }: Step, errors: FormErrors) => ({
  status: Object.keys(errors).length === 0 ? 200 : reply.hasHeader('retry-after') ? 429 : 400,
  formTargets: formTargetOf(interaction.redirectUri),
});

async function showSignIn(step: Step, errors: FormErrors = {}, email?: string) {
  const { pages, interaction, reply } = step;
  const view = signInView({
    action: actionOf(interaction.uid),
    appName: await pages.findAppName(interaction.clientId),
    email,
    errors,
    passkeyOptions: await passkeyOptions(step, undefined),
  });
  return sendPage(reply, view, sending(step, errors));
}

async function showSecondFactor(step: Step, userId: string, factors: FactorSummary, errors: FormErrors = {}) {
  const { interaction, reply } = step;
  if (!factors.hasTotp && factors.passkeys === 0) return sendPage(reply, noFactorView());
  const view = secondFactorView({
    action: actionOf(interaction.uid),
    isStepUp: interaction.progress.userId === undefined,
    hasTotp: factors.hasTotp,
    hasRecoveryCodes: factors.recoveryCodes > 0,
    errors,
    passkeyOptions: factors.passkeys > 0 ? await passkeyOptions(step, userId) : undefined,
  });
  return sendPage(reply, view, sending(step, errors));
}

export async function show(step: Step, errors: FormErrors = {}) {
  const userId = subjectOf(step.interaction);
  if (userId === undefined) return showSignIn(step, errors);
  const factors = await step.pages.database.asSystem((tx) => getFactorSummary(tx, userId));
  return showSecondFactor(step, userId, factors, errors);
}

type Proof = { readonly acr: string; readonly amr: string[]; readonly atSeconds?: number };

async function finish({ interaction }: Step, userId: string, { acr, amr, atSeconds }: Proof) {
  // Keeps the time of the proof: a late consent, which forwards it, must not make the proof look younger.
  const ts = atSeconds ?? Math.floor(Date.now() / 1_000);
  return interaction.finish({ login: { accountId: userId, acr, amr, ts, remember: false } });
}

/** The first view of a sign-in: a password chosen for a new account a moment ago counts as given. */
export async function begin(step: Step, request: FastifyRequest) {
  const { pages, interaction, reply } = step;
  if (interaction.clientId !== WEB_CLIENT_ID) return show(step);
  const given = takeChosen(request, reply, { seal: pages.seal, state: interaction.state });
  return given ? passPassword(step, given) : show(step);
}

export async function takePassword(step: Step, request: FastifyRequest) {
  const { database, checkPassword, log } = step.pages;
  const read = formOf(request);
  const [email, password] = [read('email'), read('password')];
  const errors = {
    ...(email.trim() === '' && { email: 'Enter your e-mail address.' }),
    ...(password === '' && { password: 'Enter your password.' }),
  };
  if (Object.keys(errors).length > 0) return showSignIn(step, errors, email);
  const verdict = await checkPassword({ email, password, ip: request.clientAddress });
  if (verdict.kind === 'locked') {
    step.reply.header('retry-after', verdict.retryAfterSeconds);
    const wait = waitWords(verdict.retryAfterSeconds);
    return showSignIn(step, { '': `There were too many attempts. Please wait ${wait} and try again.` }, email);
  }
  if (verdict.kind === 'wrong') {
    // Not awaited: an unknown address has nothing to audit, and the response time must not reveal the difference.
    if (verdict.userId !== undefined) {
      void auditPerson(database, verdict.userId, 'person.sign-in-failed', { proof: 'password' }).catch(
        (error: unknown) => log.error('a failed sign-in is not in the audit log', describeError(error)),
      );
    }
    return showSignIn(step, { '': PASSWORD_WRONG }, email);
  }
  return passPassword(step, verdict);
}

/** Continues with the second factor if the person has one. */
async function passPassword(step: Step, { userId, seenAtSeconds }: GivenPassword) {
  const { database } = step.pages;
  const factors = await database.asSystem((tx) => getFactorSummary(tx, userId));
  if (factors.hasTotp || factors.passkeys > 0 || step.interaction.wantsSecondFactor) {
    await step.interaction.save({ userId });
    return step.reply.redirect(actionOf(step.interaction.uid), 303);
  }
  return finish(step, userId, { acr: ONE_FACTOR, amr: ['pwd'], atSeconds: seenAtSeconds });
}

export async function takeCode(step: Step, { kind, text }: FactorCode) {
  const { pages, interaction, reply } = step;
  const userId = subjectOf(interaction);
  if (userId === undefined) return show(step);
  const field = kind === 'totp' ? 'code' : 'recoveryCode';
  const verdict = await checkSecondFactor(pages, userId, { kind, text });
  if (verdict.kind === 'right') {
    const first = interaction.progress.userId === undefined ? (interaction.session?.amr ?? []) : ['pwd'];
    const amr = [...new Set([...first, kind === 'totp' ? 'otp' : 'rc'])];
    return finish(step, userId, { acr: TWO_FACTORS, amr });
  }
  if (verdict.kind === 'wrong') {
    // Only judged attempts: a locked-out guesser must not be able to fill the log.
    await auditPerson(pages.database, userId, 'person.sign-in-failed', { proof: kind });
    return show(step, { [field]: CODE_WRONG });
  }
  reply.header('retry-after', verdict.retryAfterSeconds);
  const wait = waitWords(verdict.retryAfterSeconds);
  return show(step, { [field]: `There were too many wrong codes. Please wait ${wait} and try again.` });
}

export async function takePasskey(step: Step, answer: string) {
  const { interaction } = step;
  const { database, party } = step.pages;
  // A challenge accepts one answer: a finished sign-in has no challenge left, and a page shown again has a new one.
  const { challenge } = interaction.progress;
  if (!party || challenge === undefined) return show(step, { '': PASSKEY_WRONG });
  const userId = await database.asSystem((tx) => findPasskeyPerson(tx, { party, challenge, answer }));
  const expected = subjectOf(interaction);
  if (userId !== undefined && (expected === undefined || expected === userId)) {
    return finish(step, userId, { acr: TWO_FACTORS, amr: ['hwk', 'user'] });
  }
  // A valid passkey of the wrong person is worth an audit row; any visitor can make other failures without end.
  if (userId !== undefined && expected !== undefined) {
    await auditPerson(database, expected, 'person.sign-in-failed', { proof: 'passkey' });
  }
  return show(step, { '': PASSKEY_WRONG });
}
