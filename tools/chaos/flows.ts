// What consumers and their claims firms do all day: reports that are allowed, challenged, blocked or fail, right and wrong
// codes, resent messages, and the same request sent twice. Each flow records the answers it gets.

import { isDeepStrictEqual } from 'node:util';
import type { GenerateRequest } from '@trefoil/contract';
import type { Random } from '../../bench/merge/random.ts';
import type { DemoTenant } from '../dev/seed.ts';
import { type Answer, type AnswerBody, type Client, newKey, type Operation } from './client.ts';
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
  /** Whether the load is ending: then a flow waits for its answer and begins nothing new. */
  readonly isEnding: () => boolean;
  /** The first has plenty; the second sometimes runs short of credits, and gets 402. */
  readonly tenants: readonly [DemoTenant, DemoTenant];
};

const POOR_PERCENT = 10;
const TWINS_PERCENT = 5;
const REPLAY_PERCENT = 5;
/** The share of consumers with a failed challenge who generate again with the same key. */
const AGAIN_PERCENT = 50;
const ATTEMPTS = 3;
const REPORTS_PATH = '/v1/credit-reports';
const CODE_PATIENCE_MS = 12_000;
const BUREAUS = ['equifax', 'experian', 'transunion'] as const;
/** Never the code of a message: codes are digits. */
const WRONG_CODE = 'wrong1';

type Story = { readonly weight: number; readonly email: string; readonly stretches: readonly Stretch[] };

const STORIES: readonly Story[] = [
  { weight: 46, email: 'allow', stretches: ['reserve', 'fetch', 'settle'] },
  { weight: 38, email: 'challenge', stretches: ['reserve', 'settle', 'message'] },
  { weight: 9, email: 'block', stretches: ['reserve', 'settle'] },
  { weight: 4, email: 'screening-down', stretches: ['reserve', 'settle'] },
  // The device is unknown: the challenge fails before it is sent.
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

type Challenged = {
  readonly tenant: DemoTenant;
  readonly record: ReportRecord;
  readonly phone: Phone;
  /** The generate that began it. */
  readonly operation: Operation;
};

/** The parts of two answers that differ, each with the beginnings of both. */
function differing(...bodies: readonly AnswerBody[]): string[] {
  const parts = bodies.map(
    ({ data, meta }) => new Map<string, unknown>(Object.entries({ ...data, wallet: meta?.wallet })),
  );
  const names = new Set(parts.flatMap((each) => [...each.keys()]));
  return [...names]
    .map((name) => ({ name, values: parts.map((each) => each.get(name)) }))
    .filter(({ values: [first, second] }) => !isDeepStrictEqual(first, second))
    .map(({ name, values }) => `${name}: ${values.map((each) => JSON.stringify(each)?.slice(0, 80)).join(' and ')}`);
}

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

  /**
   * A generate that failed before a bureau was asked has freed its key: sent again, it is another run with another report,
   * or is refused for lack of funds. The final check shows which failure it was (checks.ts).
   */
  function isAnotherRun({ path }: Operation, first: Answer, second: Answer): boolean {
    const hasFailed = [first, second].some(({ body }) => body.data?.status === 'failed');
    return path === REPORTS_PATH && hasFailed && first.body.data?.creditReportId !== second.body.data?.creditReportId;
  }

  /** Once, or as twins at the same time under one key; some are sent again later. Returns one 200 for each run. */
  async function ask(operation: Operation): Promise<readonly Answer[]> {
    const isTwins = random.chance(TWINS_PERCENT);
    const [first, twin] = await Promise.all([client(operation), isTwins ? client(operation) : undefined]);
    const isReplayed = !isTwins && first?.status === 200 && random.chance(REPLAY_PERCENT);
    const answers = [first, isReplayed ? await client(operation) : twin].filter((each) => each !== undefined);
    for (const each of answers) {
      if (each.status === 200 || isExpected(each, operation)) continue;
      tally.find('every answer is one of those expected', `${operation.path}: ${each.status} ${each.body.code}`);
    }
    const [answer, again] = answers;
    // A refusal is not stored: the later twin may have found a wallet with funds.
    if (answer?.status !== 200 || !again || isAnotherRun(operation, answer, again)) {
      return answers.filter(({ status }) => status === 200);
    }
    if (!sameAnswer(answer, again)) {
      tally.find(
        'the same key gets the same answer',
        `${operation.path}: ${JSON.stringify([answer.status, again.status, ...differing(answer.body, again.body)])}`,
      );
    }
    return [answer];
  }

  /** Records the reports of these answers. */
  function note({ tenantId }: DemoTenant, answers: readonly Answer[]): ReportRecord[] {
    return answers.flatMap(({ body: { data, meta } }) => {
      if (!data?.creditReportId || data.status === undefined) return [];
      const { creditReportId, status } = data;
      if (records.has(creditReportId)) tally.find('every run has its own report', creditReportId);
      const record: ReportRecord = {
        ...{ tenantId, creditReportId, status },
        cost: meta?.wallet?.cost ?? Number.NaN,
        challengeId: data.challenge?.challengeId,
        wrongCodes: 0,
        resends: 0,
        ends: new Set(),
      };
      records.set(creditReportId, record);
      return [record];
    });
  }

  function operationOf(tenant: DemoTenant, story: Story, phone: Phone | undefined): Operation {
    const key = newKey();
    const body: GenerateRequest = {
      ...nextPerson(),
      sessionId: story.email === 'challenge-forged' ? 'forged' : mintSession(),
      email: `${story.email}@example.com`,
      bureaus: random.chance(70) ? [...BUREAUS] : [random.pick(BUREAUS)],
      ipAddress: '192.0.2.10',
      searchType: 'pcp',
      // It identifies the reports of one key.
      externalReference: key,
      ...(phone && { mobileNumber: phone.number }),
    };
    return { tenant, path: REPORTS_PATH, body, key, stretches: story.stretches };
  }

  async function submit({ tenant, record }: Challenged, code: string, stretches: readonly Stretch[]) {
    const path = `${REPORTS_PATH}/${record.creditReportId}/otp-challenge`;
    const body = { challengeId: record.challengeId, code };
    const [answer] = await ask({ tenant, path, body, key: newKey(), stretches });
    return answer;
  }

  async function resend({ tenant, record }: Challenged): Promise<void> {
    const path = `${REPORTS_PATH}/${record.creditReportId}/resend-sms`;
    const body = { challengeId: record.challengeId };
    const [answer] = await ask({ tenant, path, body, key: newKey(), stretches: ['message'] });
    if (answer) record.resends += 1;
  }

  async function submitWrong(challenged: Challenged): Promise<void> {
    const answer = await submit(challenged, WRONG_CODE, []);
    if (answer) challenged.record.wrongCodes += 1;
  }

  async function submitRight(challenged: Challenged, times: number): Promise<void> {
    const { phone, record } = challenged;
    let code = await phone.nextCode(CODE_PATIENCE_MS);
    // The node that submitted it may have died, and no other submits it again: the consumer asks for another.
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
      if (status === undefined) continue;
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

  /** The challenge has failed, so its key is free: the same request is another run, and its challenge gets no answer. */
  async function generateAgain({ tenant, record, operation }: Challenged): Promise<void> {
    const answers = await ask(operation);
    const isSame = answers.some(({ body }) => body.data?.creditReportId === record.creditReportId);
    if (isSame) tally.find('the key of a failed challenge is free', record.creditReportId);
    else note(tenant, answers);
  }

  return async () => {
    const tenant = random.chance(POOR_PERCENT) ? tenants[1] : tenants[0];
    const story = random.pickWeighted(STORIES, ({ weight }) => weight);
    const phone = story.email === 'challenge' || random.chance(40) ? await phones.lend() : undefined;
    try {
      const operation = operationOf(tenant, story, phone);
      const noted = note(tenant, await ask(operation));
      const record = noted.find(({ status }) => status === 'authentication-required');
      if (!record || !phone) return;
      const challenged = { tenant, record, phone, operation };
      await answerChallenge(challenged);
      if (record.wrongCodes === ATTEMPTS && !isEnding() && random.chance(AGAIN_PERCENT))
        await generateAgain(challenged);
    } finally {
      phone?.giveBack();
    }
  };
}
