// What `testOptions` asks for (docs/decisions/0207-a-sandbox-that-can-fail.md). Pure. A request whose options contradict
// each other or itself is refused: otherwise its author would believe to have tested something else.
import type { Bureau, BureauResult, ChallengeStatus, GenerateRequest, TestReason } from '@trefoil/contract';
import { resultsInTestMode } from '../../rules/coverage.ts';
import type { Refusal } from '../../rules/delivery.ts';
import type { Failure } from '../../rules/settlement.ts';

/** A failure as a report stores it. */
export type StoredFailure = { readonly failure: Failure; readonly because: Refusal | null };

const undeliverable = (because: Refusal): StoredFailure => ({ failure: 'not-deliverable', because });
const plainly = (failure: Failure): StoredFailure => ({ failure, because: null });

const STORED: Readonly<Record<TestReason, StoredFailure>> = {
  'screening-unavailable': plainly('screening-unavailable'),
  'device-not-verified': plainly('device-not-verified'),
  'mobile-missing': undeliverable('mobile-missing'),
  'not-a-mobile': undeliverable('not-a-mobile'),
  'country-not-allowed': undeliverable('country-not-allowed'),
  'company-number': undeliverable('company-number'),
  'company-mistakes': undeliverable('company-mistakes'),
  'company-day': undeliverable('company-day'),
  'company-minute': undeliverable('company-minute'),
  protection: undeliverable('protection'),
  'no-bureau-answered': plainly('no-bureau-answered'),
  interrupted: plainly('interrupted'),
};

/** Where in the course of a live report a failure happens. */
type Stage = 'screening' | 'challenge' | 'bureaus';

function stageOf(reason: TestReason): Stage {
  if (reason === 'screening-unavailable') return 'screening';
  return reason === 'no-bureau-answered' || reason === 'interrupted' ? 'bureaus' : 'challenge';
}

type Options = NonNullable<GenerateRequest['testOptions']>;
type Outcome = Options['outcome'];

/** Where the bureaus answer, and where the messages of a challenge are seen, as without an outcome. */
const WITH_BUREAUS: readonly Outcome[] = [undefined, 'service-unavailable-with-report', 'credit-report-purged'];
const WITH_MESSAGES: readonly Outcome[] = [undefined, 'service-unavailable-with-report'];

type Fault = { readonly path: string; readonly message: string };

function reasonFaults({ outcome, reason }: Options, status: ChallengeStatus | undefined): Fault[] {
  const path = '/testOptions/reason';
  if (outcome !== 'failed') {
    return reason === undefined ? [] : [{ path, message: 'A reason goes with the outcome failed only.' }];
  }
  if (reason === undefined) {
    return [{ path, message: `The outcome failed needs a reason. Use one of: ${Object.keys(STORED).join(', ')}.` }];
  }
  const stage = stageOf(reason);
  if (stage === 'challenge' && status !== undefined && status !== 'challenge') {
    const message = 'Only a demanded code fails so: set challengeOptions.status to challenge or leave it out.';
    return [{ path, message }];
  }
  if (stage === 'bureaus' && status === 'block') {
    return [{ path, message: 'A blocked report asks no bureau: set challengeOptions.status to allow or challenge.' }];
  }
  return [];
}

function bureauFaults({ outcome, bureauResults }: Options, { bureaus, challengeOptions }: GenerateRequest): Fault[] {
  if (bureauResults === undefined) return [];
  const path = '/testOptions/bureauResults';
  if (!WITH_BUREAUS.includes(outcome) || challengeOptions?.status === 'block') {
    return [
      { path, message: 'No bureau would answer: leave outcome out, and do not set challengeOptions.status to block.' },
    ];
  }
  return bureauResults.flatMap(({ bureau }, place): Fault[] => {
    const at = `${path}/${place}/bureau`;
    if (!bureaus.includes(bureau))
      return [{ path: at, message: `Use a bureau of this request: ${bureaus.join(', ')}.` }];
    const isFirst = bureauResults.findIndex((each) => each.bureau === bureau) === place;
    return isFirst ? [] : [{ path: at, message: 'Name each bureau only once.' }];
  });
}

function messageFaults(options: Options, status: ChallengeStatus | undefined): Fault[] {
  const { outcome, reason } = options;
  const isLate = outcome === 'failed' && reason !== undefined && stageOf(reason) === 'bureaus';
  if (status === 'challenge' && (WITH_MESSAGES.includes(outcome) || isLate)) return [];
  const message =
    'This is about the messages of a challenge: set challengeOptions.status to challenge, and no outcome that ends it.';
  return (['resend', 'receipt'] as const).flatMap((name) =>
    options[name] === undefined ? [] : [{ path: `/testOptions/${name}`, message }],
  );
}

export function findContradictions(request: GenerateRequest): Fault[] {
  const { testOptions: options, challengeOptions } = request;
  if (!options) return [];
  const status = challengeOptions?.status;
  return [...reasonFaults(options, status), ...bureauFaults(options, request), ...messageFaults(options, status)];
}

/** The failure at generate that comes before any bureau would be asked. */
export function failureBeforeBureaus({ testOptions }: GenerateRequest): StoredFailure | undefined {
  const reason = testOptions?.reason;
  return reason === undefined || stageOf(reason) === 'bureaus' ? undefined : STORED[reason];
}

export type Answers =
  | { readonly kind: 'failed'; readonly failure: Failure }
  | {
      readonly kind: 'answered';
      readonly results: BureauResult[];
      readonly found: readonly Bureau[];
      /** Whether the request chose them; otherwise every bureau is ok, and nothing needs to be stored. */
      readonly isChosen: boolean;
    };

/** What the bureaus do: at generate, or after the right code. */
export function answersOf({ bureaus, testOptions }: GenerateRequest): Answers {
  const reason = testOptions?.reason;
  if (reason !== undefined) return { kind: 'failed', failure: STORED[reason].failure };
  const chosen = new Map(testOptions?.bureauResults?.map(({ bureau, outcome }) => [bureau, outcome]));
  const results = resultsInTestMode(bureaus).map(({ bureau, outcome }) => ({
    bureau,
    outcome: chosen.get(bureau) ?? outcome,
  }));
  if (results.every(({ outcome }) => outcome === 'unavailable'))
    return { kind: 'failed', failure: 'no-bureau-answered' };
  const found = results.flatMap(({ bureau, outcome }) => (outcome === 'ok' ? [bureau] : []));
  return { kind: 'answered', results, found, isChosen: chosen.size > 0 };
}
