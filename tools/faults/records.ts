// What clients asked and the answers they got: the other side of every check in books.ts.
import type { GenerateRequest } from '@trefoil/contract';
import type { Reply } from './wires.ts';

/** When a request was sent: before the fault, during it, or in between, where nothing is measured. */
export type Window = 'quiet' | 'fault' | 'rest';

/** One answer to a generate, with the fields that the database can confirm. */
export type Told = {
  readonly status: number;
  readonly ms: number;
  /** When it was sent. */
  readonly atMs: number;
  readonly window: Window;
  readonly hasRetryAfter: boolean;
  readonly code?: string | undefined;
  readonly reportStatus?: string | undefined;
  readonly creditReportId?: string | undefined;
  readonly challengeId?: string | undefined;
  readonly cost?: number | undefined;
  /** Each bureau's outcome, where the answer has it. */
  readonly outcomes?: readonly string[] | undefined;
};

/** One generate. Sent again with its key, it is the same operation; without a key it has one answer at most. */
export type Operation = {
  readonly tenantId: string;
  /** The request's own external reference, by which its report is found in the database. */
  readonly reference: string;
  readonly bureaus: GenerateRequest['bureaus'];
  readonly answers: Told[];
};

type Body = {
  readonly code?: string;
  readonly creditReportId?: string;
  readonly meta?: { readonly wallet?: { readonly cost: number } };
  readonly data?: {
    readonly status?: string;
    readonly creditReportId?: string;
    readonly challenge?: { readonly challengeId: string };
    readonly bureauResults?: readonly { readonly outcome: string }[];
  };
};

export function parseBody(reply: Reply): Body {
  try {
    return JSON.parse(reply.body.toString()) as Body;
  } catch {
    return {};
  }
}

export function toTold(reply: Reply, atMs: number, window: Window): Told {
  const body = parseBody(reply);
  return {
    status: reply.status,
    ms: reply.ms,
    atMs,
    window,
    hasRetryAfter: /^retry-after: \d+/im.test(reply.head),
    code: body.code,
    reportStatus: body.data?.status,
    creditReportId: body.data?.creditReportId ?? body.creditReportId,
    challengeId: body.data?.challenge?.challengeId,
    cost: body.meta?.wallet?.cost,
    outcomes: body.data?.bureauResults?.map(({ outcome }) => outcome),
  };
}

export const isComplete = ({ status, reportStatus }: Told) => status === 200 && reportStatus === 'complete';
