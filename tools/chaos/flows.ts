// What consumers and their claims firms do all day: reports that are allowed, challenged, blocked or fail, codes right
// and wrong, messages sent again, and the same request sent twice. Each flow writes down what it was told.

import { isDeepStrictEqual } from 'node:util';
import type { GenerateRequest } from '@trefoil/contract';
import type { Random } from '../../bench/merge/random.ts';
import type { DemoTenant } from '../seed.ts';
import { type Answer, type Client, newKey, type Operation } from './client.ts';
import type { Stretch } from './fleet.ts';
import type { Person } from './people.ts';
import type { Phone, Phones } from './phones.ts';
import type { Records, ReportRecord } from './records.ts';
import type { Tally } from './tally.ts';

export type FlowOptions = {
  readonly client: Client;
  readonly records: Records;
  readonly tally: Tally;
  readonly random: Random;
  readonly phones: Phones;
  readonly nextPerson: () => Person;
  readonly mintSession: () => string;
  /** Whether the load is ending: then a flow waits for its answer and begins nothing more. */
  readonly isEnding: () => boolean;
  /** The first has plenty; the second is short of credits now and then, and hears 402. */
  readonly tenants: readonly [DemoTenant, DemoTenant];
};

const POOR_PERCENT = 10;
const TWINS_PERCENT = 5;
const REPLAY_PERCENT = 5;
const CODE_PATIENCE_MS = 12_000;
const BUREAUS = ['equifax', 'experian', 'transunion'] as const;
/** Never the code of a message: those are digits. */
const WRONG_CODE = 'wrong1';

type Story = { readonly weight: number; readonly email: string; readonly stretches: readonly Stretch[] };

const STORIES: readonly Story[] = [
  { weight: 46, email: 'allow', stretches: ['reserve', 'fetch', 'settle'] },
  { weight: 38, email: 'challenge', stretches: ['reserve', 'settle', 'message'] },
  { weight: 9, email: 'block', stretches: ['reserve', 'settle'] },
  { weight: 4, email: 'screening-down', stretches: ['reserve', 'settle'] },
  // The device is not known: the challenge fails before it is sent.
  { weight: 3, email: 'challenge-forged', stretches: ['reserve', 'settle'] },
];

/** What a challenged consumer does, in order. */
type Step = 'wrong' | 'resend' | 'right' | 'right-twice';
const ANSWERS: readonly { readonly weight: number; readonly steps: readonly Step[] }[] = [
  { weight: 40, steps: ['right'] },
  { weight: 14, steps: ['wrong', 'right'] },
  { weight: 8, steps: ['wrong', 'wrong', 'wrong'] },
  { weight: 12, steps: ['resend', 'right'] },
  { weight: 6, steps: ['resend', 'wrong', 'resend', 'resend', 'right'] },
  { weight: 14, steps: ['right-twice'] },
  { weight: 6, steps: [] },
];
const UNREACHED: readonly (readonly Step[])[] = [[], ['wrong'], ['wrong', 'wrong', 'wrong'], ['resend', 'wrong']];

type Challenged = { readonly tenant: DemoTenant; readonly record: ReportRecord; readonly phone: Phone };

export function createFlow(options: FlowOptions): () => Promise<void> {
  const { client, records, tally, random, phones, nextPerson, mintSession, isEnding, tenants } = options;

  /** Answers that a client of this load can rightly get besides 200. */
  function isExpected({ status, body }: Answer, { tenant }: Operation): boolean {
    if (status === 402) return tenant === tenants[1];
    if (body.code === 'sms-limit-reached') return true;
    return false;
  }

  function sameAnswer(first: Answer, second: Answer): boolean {
    return (
      first.status === second.status &&
      isDeepStrictEqual([first.body.data, first.body.meta?.wallet], [second.body.data, second.body.meta?.wallet])
    );
  }

  /** Once, or as twins at the same time under one key; some are sent again later. */
  async function ask(operation: Operation): Promise<Answer | undefined> {
    const isTwins = random.chance(TWINS_PERCENT);
    const [answer, twin] = await Promise.all([client(operation), isTwins ? client(operation) : undefined]);
    if (!answer) return undefined;
    if (answer.status !== 200 && !isExpected(answer, operation)) {
      tally.find('every answer is one of those expected', `${operation.path}: ${answer.status} ${answer.body.code}`);
    }
    if (answer.status !== 200) return answer;
    const again = twin ?? (random.chance(REPLAY_PERCENT) ? await client(operation) : undefined);
    if (again && !sameAnswer(answer, again)) {
      tally.find(
        'the same key gets the same answer',
        `${operation.path}: ${JSON.stringify([answer.body.data?.status, answer.body.meta, again.status, again.body.data?.status, again.body.meta])}`,
      );
    }
    return answer;
  }

  async function generate(tenant: DemoTenant, story: Story, phone: Phone | undefined) {
    const body: GenerateRequest = {
      ...nextPerson(),
      sessionId: story.email === 'challenge-forged' ? 'forged' : mintSession(),
      email: `${story.email}@example.com`,
      bureaus: random.chance(70) ? [...BUREAUS] : [random.pick(BUREAUS)],
      ipAddress: '192.0.2.10',
      searchType: 'pcp',
      ...(phone && { mobileNumber: phone.number }),
    };
    const { stretches } = story;
    const answer = await ask({ tenant, path: '/v1/credit-reports', body, key: newKey(), stretches });
    const { data, meta } = answer?.status === 200 ? answer.body : {};
    if (!data?.creditReportId || data.status === undefined) return undefined;
    const { creditReportId, status } = data;
    if (records.has(creditReportId)) tally.find('every request has its own report', creditReportId);
    const record: ReportRecord = {
      tenantId: tenant.tenantId,
      creditReportId,
      status,
      cost: meta?.wallet?.cost ?? Number.NaN,
      challengeId: data.challenge?.challengeId,
      wrongCodes: 0,
      resends: 0,
      ends: new Set(),
    };
    records.set(creditReportId, record);
    return record;
  }

  function submit({ tenant, record }: Challenged, code: string, stretches: readonly Stretch[]) {
    const path = `/v1/credit-reports/${record.creditReportId}/otp-challenge`;
    return ask({ tenant, path, body: { challengeId: record.challengeId, code }, key: newKey(), stretches });
  }

  async function resend({ tenant, record }: Challenged): Promise<void> {
    const path = `/v1/credit-reports/${record.creditReportId}/resend-sms`;
    const body = { challengeId: record.challengeId };
    const answer = await ask({ tenant, path, body, key: newKey(), stretches: ['message'] });
    if (answer?.status === 200) record.resends += 1;
  }

  async function submitWrong(challenged: Challenged): Promise<void> {
    const answer = await submit(challenged, WRONG_CODE, []);
    if (answer?.status === 200) challenged.record.wrongCodes += 1;
  }

  async function submitRight(challenged: Challenged, times: number): Promise<void> {
    const { phone, record } = challenged;
    let code = await phone.nextCode(CODE_PATIENCE_MS);
    // Whoever submitted it may have died over it, and nobody submits it again: the consumer asks for another.
    if (code === undefined && !isEnding()) {
      await resend(challenged);
      code = await phone.nextCode(CODE_PATIENCE_MS);
    }
    if (code === undefined) return;
    const right = code;
    const answers = await Promise.all(
      Array.from({ length: times }, () => submit(challenged, right, ['fetch', 'settle'])),
    );
    for (const answer of answers) {
      const status = answer?.body.data?.status;
      if (answer?.status !== 200 || status === undefined) continue;
      record.ends.add(status);
      if (status === 'retry') tally.find('a right code is right', record.creditReportId);
    }
  }

  async function answerChallenge(challenged: Challenged): Promise<void> {
    const steps = challenged.phone.isReached
      ? random.pickWeighted(ANSWERS, ({ weight }) => weight).steps
      : random.pick(UNREACHED);
    for (const step of steps) {
      if (isEnding()) return;
      if (step === 'wrong') await submitWrong(challenged);
      else if (step === 'resend') await resend(challenged);
      else await submitRight(challenged, step === 'right-twice' ? 2 : 1);
    }
  }

  return async () => {
    const tenant = random.chance(POOR_PERCENT) ? tenants[1] : tenants[0];
    const story = random.pickWeighted(STORIES, ({ weight }) => weight);
    const phone = story.email === 'challenge' || random.chance(40) ? await phones.lend() : undefined;
    try {
      const record = await generate(tenant, story, phone);
      if (record?.status === 'authentication-required' && phone) await answerChallenge({ tenant, record, phone });
    } finally {
      phone?.giveBack();
    }
  };
}
