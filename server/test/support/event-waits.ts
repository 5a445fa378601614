// Requests that wait for an event, and the events that they wait for.
import { END_CURSOR } from '@trefoil/contract';
import type { Trefoil } from '@trefoil/sdk';
import { expect } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { appendEvents } from '../../src/events/append-events.ts';
import { newId } from '../../src/lib/ids.ts';
import type { TestServer } from '../harness.ts';

type Type = 'report.completed' | 'wallet.low';

export const writeEvent = (server: TestServer, tenantId = server.demo.tenantId, type: Type = 'report.completed') =>
  server.database.forTenants([tenantId], (tx) =>
    appendEvents(tx, [{ tenantId, type, subjectId: newId(), creditReportId: newId(), amount: 5 }]),
  );

/** The place after a tenant's last event. */
export const endOf = async (trefoil: Trefoil) => (await trefoil.listEvents({ cursor: END_CURSOR })).data.nextCursor;

/** Until so many requests wait on the node. */
export const untilWaiting = (metricsAddress: string, count: number) =>
  eventually(async () => {
    const metrics = await (await fetch(metricsAddress)).text();
    expect(/^trefoil_event_waits (\d+)$/m.exec(metrics)?.[1]).toBe(String(count));
  });
