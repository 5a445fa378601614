// What a code that was entered needs: one key until its answer came, and showing what the answer brought.
import { useQueryClient } from '@tanstack/react-query';
import type { SubmitOtpResponse } from '@trefoil/sdk';
import { useRef } from 'react';
import { reportQuery } from '../api/queries.ts';
import { timelineQuery } from '../api/report-queries.ts';
import { costOf } from './timeline-steps.ts';

/** Asks again for everything that is shown of this company: report, timeline, cost and balance. */
export function useLookAgain(tenantId: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: [tenantId] });
}

/**
 * Shows the report that came with the right code. It is not asked for again: a company that keeps no reports has it in this
 * answer alone.
 */
export function useShowReport(tenantId: string, reportId: string) {
  const queryClient = useQueryClient();
  const { queryKey } = reportQuery(tenantId, reportId);
  return async ({ meta, data }: SubmitOtpResponse): Promise<boolean> => {
    const before = queryClient.getQueryData(queryKey)?.data;
    if (data.status !== 'complete' || !before) return false;
    const { test, createdAt, externalReference, source } = before;
    const show = (costCredits: number) =>
      queryClient.setQueryData(queryKey, {
        meta: { request: meta.request },
        data: { ...data, test, createdAt, externalReference, costCredits, source },
      });
    // One under way would come after this answer, and in its place.
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryDefaults(queryKey, { staleTime: Number.POSITIVE_INFINITY });
    show(before.costCredits);
    await queryClient.invalidateQueries({
      queryKey: [tenantId],
      predicate: ({ queryKey: [, kind, id] }) => !(kind === 'report' && id === reportId),
    });
    // The answer does not say what was refunded for bureaus that did not answer. Beside the report the same timeline is shown, so it
    // is asked for once.
    const timeline = timelineQuery({ tenantId, reportId, status: data.status });
    await queryClient.fetchQuery(timeline).then(
      (course) => show(costOf(course)),
      // What the report cost before stays; the page says that the timeline could not be loaded.
      () => undefined,
    );
    return true;
  };
}

/** One key for what is asked, until its answer came: pressing again after a lost answer repeats the same request. */
export function useKey() {
  const kept = useRef<{ readonly asked: string; readonly key: string }>(undefined);
  return {
    callOf(asked: string) {
      if (kept.current?.asked !== asked) kept.current = { asked, key: crypto.randomUUID() };
      return { idempotencyKey: kept.current.key, maxRetries: 0 };
    },
    noteAnswer() {
      kept.current = undefined;
    },
  };
}
