// The worker thread of large-files.ts. Both functions are pure; their results are copied to the calling thread.
import { workerData } from 'piscina';
import type { ReplyMark } from './bureaus/port.ts';
import { type ReadOrder, readMarked, type Wire } from './bureaus/read-reply.ts';
import type { MergeOrder } from './credit-reports/live/fetch-report.ts';
import { writeReport } from './credit-reports/live/write-report.ts';
import type { KeptReport } from './credit-reports/provenance/keep-report.ts';
import { OutsideFault } from './lib/outside/outside-fault.ts';
import type { LenderRegistry } from './merge/matching/lender-registry.ts';

export type WireOrder = ReadOrder & Pick<ReplyMark, 'answeredAt'> & { readonly wire: Wire };

/** A fault loses its class when it is copied: its fields are sent, and the calling thread rebuilds it. */
export type ToldFault = Pick<OutsideFault, 'reason' | 'blame'> & { readonly detail: string };

export function read({ wire, ...order }: WireOrder) {
  const result = readMarked(wire, order);
  if (result.kind !== 'unavailable' || !(result.cause instanceof OutsideFault)) return result;
  const { reason, blame, detail } = result.cause;
  const cause: ToldFault = { reason, blame, detail };
  return { ...result, cause };
}

export function merge(order: MergeOrder): KeptReport {
  return writeReport(order, workerData as LenderRegistry);
}
