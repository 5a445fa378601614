// An operator's session locks one tenant's wallet while wrong codes come in. A third wrong code fails the challenge and
// releases its credits, which needs the wallet: the code must still count, and no other tenant may wait.
import type { Client as Session } from 'pg';
import { type Challenge, challenge, type Guess, guess, WRONG_CODE } from '../challenges.ts';
import { findUnanswered } from '../find-unanswered.ts';
import { judgeOthers, watchGenerates } from '../others.ts';
import type { Run, Scenario } from '../scenario.ts';
import { alternate } from '../windows.ts';

const TURNS = 2;
const CHALLENGES = 3;
const WRONG_CODES = 5;
const ATTEMPTS_MAX = 3;
/** Longer than a statement waits for a lock. */
const HELD_MS_MAX = 5_000;

type Story = {
  readonly challenged: Challenge;
  readonly wrong: readonly Guess[];
  /** The answer to the right code while the wallet was locked. */
  readonly held: Guess;
};

/** Wrong codes one after the other and then the right one, all while the wallet is locked. */
async function tryCodes({ stage }: Run, challenged: Challenge): Promise<Story> {
  const wrong: Guess[] = [];
  for (let number = 0; number < WRONG_CODES; number += 1) wrong.push(await guess(stage, challenged, WRONG_CODE));
  return { challenged, wrong, held: await guess(stage, challenged, challenged.code) };
}

const isReport = ({ status, says }: Guess) => status === 200 && says === 'complete';
const isJudged = ({ status, says }: Guess) => status === 200 && (says === 'retry' || says === 'failed');

/**
 * If the right code gets a different answer than the wrong ones before it, all of them were judged: a 503 for each
 * wrong code and something else for the right one would let a thief try them all.
 */
function judgeStory({ tally }: Run, { wrong, held }: Story, released: Guess): void {
  const counted = wrong.filter(isJudged).length;
  const wasTold = held.status !== 503 && held.status !== 0;
  if (isReport(held) || (isReport(released) && (wasTold || counted >= ATTEMPTS_MAX))) {
    const say = ({ status, says }: Guess) => (status === 0 ? 'no answer' : `${status} ${says}`);
    const answers = `wrong codes: ${wrong.map(say).join(', ')}; the right one: ${say(held)}, then ${say(released)}`;
    tally.find('never a fourth guess is judged', answers);
  }
  if (wrong.filter(({ says }) => says === 'retry').length >= ATTEMPTS_MAX) {
    tally.find('the third wrong code fails the challenge', 'three times "retry"');
  }
  // A right code that waits longer than a wrong one would say which it is.
  if (held.ms > HELD_MS_MAX) {
    tally.find('a right code is answered within 5 s', `after ${Math.round(held.ms)} ms`);
  }
  for (const told of [...wrong, held, released]) {
    const { status, says } = told;
    if (status === 0) findUnanswered(tally, told, 'a code');
    else if (status !== 200 && status !== 503) tally.find('a code is answered with 200 or 503', `${status} ${says}`);
  }
}

export const heldWallet: Scenario = {
  name: 'held-wallet',
  promise: 'while a wallet is held never a fourth guess is judged, and the other tenants do not notice',
  wish: {},
  seconds: 13,
  shortSeconds: 5,
  async play(run) {
    const { stage, seconds, isShort } = run;
    const { client, hot, tenantOf } = stage;
    const turns = isShort ? 1 : TURNS;
    const waiting: Challenge[] = [];
    for (let number = 0; number < turns * CHALLENGES; number += 1) waiting.push(await challenge(stage, hot));
    const others = watchGenerates(run, tenantOf);
    const stories: Story[] = [];
    let session: Session | undefined;
    let trying: Promise<Story[]> | undefined;
    await alternate(client, {
      turns,
      seconds,
      async begin() {
        session = await stage.openSession();
        await session.query('begin');
        await session.query('select from wallets where tenant_id = $1 for update', [hot.tenantId]);
        trying = Promise.all(waiting.splice(0, CHALLENGES).map((each) => tryCodes(run, each)));
      },
      async end() {
        stories.push(...((await trying) ?? []));
        await session?.query('rollback');
      },
    });
    // The wallet is free again: unjudged codes may be judged now, but no more than three in all.
    for (const story of stories) {
      judgeStory(run, story, await guess(stage, story.challenged, story.challenged.code));
    }
    await others.stop();
    const answers = stories.flatMap(({ wrong, held }) => [...wrong, held]);
    return {
      ...judgeOthers(run, others),
      guesses: answers.length,
      guessesRefused: answers.filter(({ status }) => status === 503).length,
    };
  },
};
