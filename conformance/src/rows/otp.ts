// Submitting codes: three attempts, and what closes a challenge. Interface, "States and transitions" and "Limits";
// decisions 37 to 40.
import { dig, equal, holds, same } from '../expect.ts';
import { type Challenge, generate, resend, startChallenge, submit, submitBody } from '../journey.ts';
import { dataOf, invalid, refused, summary } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch, RIGHT_CODE, WRONG_CODE } from '../sample.ts';
import type { Api, Reply } from '../session.ts';
import { uuid7 } from '../shape.ts';

const pins = 'Interface, "States and transitions"';

/** One word per answer: `retry 2`, `failed`, `complete`, or the refusal's code. */
function verdict(reply: Reply): string {
  const status = dig(reply.body, 'data.status');
  if (reply.status !== 200 || typeof status !== 'string') return summary(reply);
  return status === 'retry' ? `retry ${String(dig(reply.body, 'data.attemptsRemaining'))}` : status;
}

async function expectVerdicts(api: Api, challenge: Challenge, steps: readonly (readonly [unknown, string])[]) {
  for (const [index, [code, expected]] of steps.entries()) {
    const seen = verdict(await submit(api, challenge, code));
    equal(`answer to code ${index + 1} (${JSON.stringify(code)})`, seen, expected);
  }
}

const sequences: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
  ['right-completes', 'the right code completes', [[RIGHT_CODE, 'complete']]],
  ['wrong-retries', 'the first wrong code leaves two attempts', [['000000', 'retry 2']]],
  [
    'third-wrong-fails',
    'wrong codes leave 2, then 1, and the third fails the challenge',
    [
      ['000001', 'retry 2'],
      ['000002', 'retry 1'],
      ['000003', 'failed'],
    ],
  ],
  [
    'same-wrong-counts',
    'the same wrong code uses an attempt each time',
    [
      [WRONG_CODE, 'retry 2'],
      [WRONG_CODE, 'retry 1'],
      [WRONG_CODE, 'failed'],
    ],
  ],
  [
    'wrong-then-right',
    'a right code after a wrong one completes',
    [
      [WRONG_CODE, 'retry 2'],
      [RIGHT_CODE, 'complete'],
    ],
  ],
  [
    'third-right',
    'the third attempt still counts when it is right',
    [
      ['000001', 'retry 2'],
      ['000002', 'retry 1'],
      [RIGHT_CODE, 'complete'],
    ],
  ],
  [
    'failed-is-permanent',
    'after failed no code is judged, neither right nor wrong',
    [
      ['000001', 'retry 2'],
      ['000002', 'retry 1'],
      ['000003', 'failed'],
      [RIGHT_CODE, 'failed'],
      ['000004', 'failed'],
      [RIGHT_CODE, 'failed'],
    ],
  ],
  [
    'near-misses',
    'a longer, a shorter and a padded code are wrong codes',
    [
      ['1234567', 'retry 2'],
      ['12345', 'retry 1'],
      ['0123456', 'failed'],
    ],
  ],
  [
    'letters-judged',
    'text that cannot be a code is judged and uses an attempt',
    [
      ['abcdef', 'retry 2'],
      ['x'.repeat(32), 'retry 1'],
      [RIGHT_CODE, 'complete'],
    ],
  ],
];

const malformed: readonly (readonly [string, unknown])[] = [
  ['number', 123456],
  ['null', null],
  ['list', [RIGHT_CODE]],
  ['empty', ''],
  ['blank', '   '],
  ['hyphens', '---'],
  ['over-32', '1'.repeat(33)],
  ['missing', undefined],
];

export const otpRows: readonly Row[] = [
  ...sequences.map(
    ([name, title, steps]): Row => ({
      id: `otp/${name}`,
      title,
      pins: `${pins}; "Limits"`,
      run: async ({ api }) => expectVerdicts(api, await startChallenge(api), steps),
    }),
  ),
  ...['123 456', '123-456', ' 1 2-3 4-5 6 '].map(
    (code): Row => ({
      id: `otp/spacing/${code.trim().replaceAll(' ', '_')}`,
      title: `spaces and hyphens do not matter: ${JSON.stringify(code)} completes`,
      pins: 'Decision 37',
      run: async ({ api }) => expectVerdicts(api, await startChallenge(api), [[code, 'complete']]),
    }),
  ),
  ...malformed.map(
    ([name, code]): Row => ({
      id: `otp/malformed/${name}`,
      title: `code ${name.replace('-', ' ')}: 400 and no attempt is used`,
      pins: 'Decision 37',
      run: async ({ api }) => {
        const challenge = await startChallenge(api);
        for (let tries = 0; tries < 3; tries += 1) invalid(await submit(api, challenge, code), '/code');
        await expectVerdicts(api, challenge, [[WRONG_CODE, 'retry 2']]);
      },
    }),
  ),
  ...[undefined, 7, ''].map(
    (challengeId): Row => ({
      id: `otp/challenge-id/${challengeId === undefined ? 'missing' : challengeId === '' ? 'empty' : 'number'}`,
      title: `challengeId ${JSON.stringify(challengeId) ?? 'missing'}: 400 that names it`,
      pins: 'Interface, "OTP submit request body"',
      run: async ({ api }) => {
        const { creditReportId } = await startChallenge(api);
        invalid(await submitBody(api, creditReportId, { challengeId, code: RIGHT_CODE }), '/challengeId');
      },
    }),
  ),
  {
    id: 'otp/resend-keeps-attempts',
    title: 'a resend gives no attempts back: wrong, wrong, resend, wrong fails',
    pins: 'Decision 35',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      await expectVerdicts(api, challenge, [[WRONG_CODE, 'retry 2']]);
      dataOf(await resend(api, challenge));
      await expectVerdicts(api, challenge, [[WRONG_CODE, 'retry 1']]);
      dataOf(await resend(api, challenge));
      await expectVerdicts(api, challenge, [[WRONG_CODE, 'failed']]);
    },
  },
  {
    id: 'otp/failed-same-message',
    title: 'a failed challenge repeats its first message',
    pins: 'Decision 40',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      for (const code of ['000001', '000002']) await submit(api, challenge, code);
      const first = dataOf(await submit(api, challenge, '000003'), 'failed');
      same('data', dataOf(await submit(api, challenge, RIGHT_CODE), 'failed'), first);
    },
  },
  {
    id: 'otp/replay-after-complete',
    title: 'the completing code gives the same report again',
    pins: 'Decision 39',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const first = dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      for (let again = 0; again < 3; again += 1) {
        same('data', dataOf(await submit(api, challenge, RIGHT_CODE), 'complete'), first);
      }
    },
  },
  {
    id: 'otp/other-code-after-complete',
    title: 'another code after complete: 409 challenge-closed, and the report can still be fetched again',
    pins: 'Decision 39',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      for (const code of ['000001', '000002']) refused(await submit(api, challenge, code), 409, 'challenge-closed');
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
    },
  },
  {
    id: 'otp/three-others-end-replay',
    title: 'three other codes after complete end the replay: the completing code gets 409 too',
    pins: 'Decision 39',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
      for (const code of ['000001', '000002', '000003', RIGHT_CODE]) {
        refused(await submit(api, challenge, code), 409, 'challenge-closed');
      }
    },
  },
  {
    id: 'otp/parallel-wrong',
    title: 'twenty wrong codes at once: two retries (2 and 1), eighteen failed, never a fourth guess',
    pins: 'Decision 38',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const codes = Array.from({ length: 20 }, (_, index) => String(900_000 + index));
      const verdicts = await Promise.all(codes.map(async (code) => verdict(await submit(api, challenge, code))));
      const expected = [...Array.from({ length: 18 }, () => 'failed'), 'retry 1', 'retry 2'];
      equal('the twenty answers', verdicts.toSorted(), expected);
      await expectVerdicts(api, challenge, [[RIGHT_CODE, 'failed']]);
    },
  },
  {
    id: 'otp/parallel-right',
    title: 'the right code ten times at once completes, with one report for all',
    pins: 'Decisions 38 and 39',
    run: async ({ api }) => {
      const challenge = await startChallenge(api);
      const replies = await Promise.all(Array.from({ length: 10 }, () => submit(api, challenge, RIGHT_CODE)));
      const complete = replies.filter((reply) => verdict(reply) === 'complete');
      for (const reply of replies) if (!complete.includes(reply)) refused(reply, 409, 'request-in-progress');
      const [first, ...others] = complete.map((reply) => dataOf(reply));
      holds(first !== undefined, 'at least one complete', replies.map(summary).join(', '));
      for (const data of others) same('data', data, first);
    },
  },
  ...(['allow', 'block'] as const).map(
    (status): Row => ({
      id: `otp/no-challenge/${status}`,
      title: `a report from ${status} has no challenge: 404 challenge-not-found`,
      pins: 'Interface, "Endpoints", rule 3',
      run: async ({ api }) => {
        const { creditReportId } = dataOf(await generate(api, branch(status)));
        const stranger = await startChallenge(api);
        equal('shape of creditReportId', uuid7('creditReportId', creditReportId), []);
        const reply = await submit(api, { ...stranger, creditReportId: String(creditReportId) }, RIGHT_CODE);
        refused(reply, 404, 'challenge-not-found');
      },
    }),
  ),
];
