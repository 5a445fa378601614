// Where the operations of test mode and live mode part: an operation asks for its report's mode and works with what it
// gets. Test mode calls nothing outside and moves no live money (sandbox/); live mode does both (live/, challenge/).
import type { Bureau, GenerateData } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { Release } from '../lib/limits/places.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import type { Rendered } from './answer.ts';
import type { JudgedCode } from './challenge/apply-verdict.ts';
import { judgeLive } from './challenge/judge-live.ts';
import type { OpenedChallenge } from './challenge/lock-challenge.ts';
import { queueResend, type Resend } from './challenge/queue-resend.ts';
import type { GenerateOrder, ReportDependencies } from './dependencies.ts';
import { admitFetch } from './live/admit-report.ts';
import { generateLive } from './live/generate-live.ts';
import { requireLive } from './live/require-live.ts';
import type { Settlement } from './live/settle-reports.ts';
import type { RefusedMessage } from './messages/allow-delivery.ts';
import { generateInSandbox } from './sandbox/generate-in-sandbox.ts';
import { judgeInSandbox } from './sandbox/judge-in-sandbox.ts';
import { resendInSandbox } from './sandbox/resend-in-sandbox.ts';

type Guess = {
  readonly opened: OpenedChallenge;
  readonly code: string;
  readonly caller: Caller;
  /** Receives the places that a right code's report needs, before the code is examined. */
  readonly keepPlaces: (release: Release) => void;
};

export interface Mode {
  readonly name: 'test' | 'live';
  generate(order: GenerateOrder): Promise<Rendered<GenerateData>>;
  /** Runs under the report's lock. */
  judge(tx: Tx, guess: Guess): Promise<JudgedCode>;
  /** The queued message, if one is sent, or the reason against it. */
  resend(tx: Tx, resend: Resend): Promise<{ readonly sendId: string | undefined } | RefusedMessage>;
  /** The settlement that a challenge found expired still needs. */
  endExpired(opened: OpenedChallenge, actor: string): Settlement | undefined;
}

function testMode(dependencies: ReportDependencies): Mode {
  return {
    name: 'test',
    generate: (order) => generateInSandbox(dependencies, order),
    judge: (tx, guess) => judgeInSandbox(tx, dependencies, guess),
    resend: (tx, resend) => resendInSandbox(tx, dependencies, resend),
    // A job ends it; until then its age shows that a test challenge has expired.
    endExpired: () => undefined,
  };
}

/** While the deployment has no providers, every step that needs one throws service-unavailable. */
function liveMode(dependencies: ReportDependencies): Mode {
  return {
    name: 'live',
    // Async, so that a missing provider rejects instead of throwing at the call.
    generate: async (order) => generateLive(dependencies, requireLive(dependencies), order),
    async judge(tx, { opened, code, caller, keepPlaces }) {
      const live = requireLive(dependencies);
      const admit = (bureaus: readonly Bureau[]) =>
        keepPlaces(admitFetch({ ...dependencies, live }, caller.tenantId, bureaus));
      return judgeLive(tx, dependencies, live, { opened, code, caller, admit });
    },
    resend: async (tx, resend) => queueResend(tx, dependencies, requireLive(dependencies), resend),
    /** Ends the challenge at once and refunds its report, as the job would. It needs no provider. */
    endExpired({ key, report }, actor) {
      if (report.status !== 'challenged') return undefined;
      const { tenantId, creditReportId } = key;
      return { tenantId, creditReportId, from: 'challenged', actor, outcome: { kind: 'expired' }, mayHaveKey: false };
    },
  };
}

export function modeOf(dependencies: ReportDependencies, isTest: boolean): Mode {
  return isTest ? testMode(dependencies) : liveMode(dependencies);
}
