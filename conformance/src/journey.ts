// The steps rows are made of: generate, submit a code, ask for another message.
import { holds } from './expect.ts';
import { dataOf } from './replies.ts';
import { branch, consumer, type Fields } from './sample.ts';
import type { Api, Reply } from './session.ts';

export type Headers = Readonly<Record<string, string>>;

export type Challenge = {
  readonly creditReportId: string;
  readonly challengeId: string;
  readonly generated: Reply;
};

export const reportsPath = (tenantId: string) => `/${tenantId}/v1/credit-reports`;
export const otpPath = (tenantId: string, creditReportId: string) =>
  `${reportsPath(tenantId)}/${creditReportId}/otp-challenge`;
export const resendPath = (tenantId: string, creditReportId: string) =>
  `${reportsPath(tenantId)}/${creditReportId}/resend-sms`;

/** Generates in test mode unless the changes say otherwise. */
export function generate(api: Api, changes: Fields = {}, headers: Headers = {}): Promise<Reply> {
  return api.send({ method: 'POST', path: reportsPath(api.tenantId), body: consumer(changes), headers });
}

export async function startChallenge(api: Api, changes: Fields = {}, headers: Headers = {}): Promise<Challenge> {
  const generated = await generate(api, { ...branch('challenge'), ...changes }, headers);
  const data = dataOf(generated, 'authentication-required');
  const creditReportId = data['creditReportId'];
  const challengeId = (data['challenge'] as Fields | undefined)?.['challengeId'];
  holds(typeof creditReportId === 'string', 'data.creditReportId to be a string', creditReportId);
  holds(typeof challengeId === 'string', 'data.challenge.challengeId to be a string', challengeId);
  return { creditReportId, challengeId, generated };
}

export function submitBody(api: Api, creditReportId: string, body: unknown, headers: Headers = {}): Promise<Reply> {
  return api.send({ method: 'POST', path: otpPath(api.tenantId, creditReportId), body, headers });
}

export function submit(api: Api, challenge: Challenge, code: unknown, headers: Headers = {}): Promise<Reply> {
  return submitBody(api, challenge.creditReportId, { challengeId: challenge.challengeId, code }, headers);
}

export function resendBody(api: Api, creditReportId: string, body: unknown, headers: Headers = {}): Promise<Reply> {
  return api.send({ method: 'POST', path: resendPath(api.tenantId, creditReportId), body, headers });
}

export function resend(api: Api, challenge: Challenge, headers: Headers = {}): Promise<Reply> {
  return resendBody(api, challenge.creditReportId, { challengeId: challenge.challengeId }, headers);
}

export const quote = (api: Api, body: Fields): Promise<Reply> =>
  api.send({ method: 'POST', path: `${reportsPath(api.tenantId)}/quote`, body });
