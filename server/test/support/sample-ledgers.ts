// Tenants with a report in every state and a message in every one that matters, all of it in order: many at once, since each
// step is one transaction over all of their wallets, as in the service's own queue.
import { newId } from '../../src/lib/ids.ts';
import type { TestServer } from '../harness.ts';
import {
  addCredits,
  addLiveReports,
  addSends,
  addTenant,
  captureAll,
  type Held,
  holdAll,
  type ReportState,
  refundAll,
  releaseAll,
  results,
  withBooks,
} from './money-states.ts';
import { P, PRICE } from './words.ts';

export type SampleLedger = {
  readonly tenantId: string;
  readonly completeAtOnce: string;
  readonly challenged: string;
  readonly fetching: string;
  readonly failedLater: string;
  readonly failedAtOnce: string;
  readonly blocked: string;
  readonly pending: string;
  readonly deliveredSend: string;
  readonly openSend: string;
  readonly silentSend: string;
  readonly lateSend: string;
  readonly writtenOffSend: string;
};

/** One report or message of each tenant, in the order of the tenants. */
type Each = readonly string[];

export async function addSampleLedgers(server: TestServer, count: number): Promise<SampleLedger[]> {
  const tenantIds: string[] = [];
  for (let place = 0; place < count; place += 1) {
    const tenantId = await addTenant(server);
    await addCredits(server, tenantId, 1_000_000);
    tenantIds.push(tenantId);
  }
  const newIds = () => tenantIds.map(() => newId());
  const heldFor = (kind: Held['kind'], sources: Each) =>
    sources.map((sourceId, place) => ({ tenantId: tenantIds[place] ?? '', kind, sourceId }));
  const chargedFor = (reports: Each) =>
    reports.map((creditReportId, place) => ({ tenantId: tenantIds[place] ?? '', creditReportId }));

  const add = async (state: Omit<ReportState, 'challengeId'>, charged?: number, challenges: Each = []) => {
    const ids = await addLiveReports(server, tenantIds, state, challenges);
    const held = heldFor('report', ids);
    await holdAll(server, held);
    if (charged !== undefined) {
      const captured = held.map((key) => ({ ...key, creditReportId: key.sourceId }));
      await captureAll(server, captured, charged);
    }
    return ids;
  };
  const partly = results('ok', 'no-trace', 'unavailable');

  const completeAtOnce = await add({ status: 'complete', bureauResults: partly }, P - PRICE.bureau);
  const completeLater = await add({ status: 'complete', bureauResults: partly }, P, newIds());
  await refundAll(server, chargedFor(completeLater), PRICE.bureau);
  const challengedIds = newIds();
  const challenged = await add({ status: 'challenged' }, P, challengedIds);
  const fetching = await add({ status: 'fetching' }, P, newIds());
  const failedIds = newIds();
  const failedLater = await add({ status: 'failed', failure: 'attempts-used' }, P, failedIds);
  await refundAll(server, chargedFor(failedLater), P);
  const expiredIds = newIds();
  const expired = await add({ status: 'expired', failure: 'expired' }, P, expiredIds);
  await refundAll(server, chargedFor(expired), P);
  const failedAtOnce = await add({ status: 'failed', failure: 'no-bureau-answered' });
  await releaseAll(server, heldFor('report', failedAtOnce));
  const blocked = await add({ status: 'blocked' });
  await releaseAll(server, heldFor('report', blocked));
  const pending = await add({ status: 'pending' });

  const send = async (reports: Each, challenges: Each, state: string) => {
    const sends = chargedFor(reports).map((of, place) => ({ ...of, challengeId: challenges[place] ?? '', state }));
    const ids = await addSends(server, sends);
    await holdAll(server, heldFor('sms', ids));
    return ids;
  };
  const deliveredSend = await send(challenged, challengedIds, 'delivered');
  const delivered = heldFor('sms', deliveredSend).map((key, place) => ({
    ...key,
    creditReportId: challenged[place] ?? '',
  }));
  await captureAll(server, delivered, PRICE.sms);
  const openSend = await send(challenged, challengedIds, 'submitted');
  const silentSend = await send(expired, expiredIds, 'silent');
  await releaseAll(server, heldFor('sms', silentSend));
  const late = async (kind: 'sms-charge' | 'sms-writeoff') => {
    const ids = await send(failedLater, failedIds, 'delivered');
    await releaseAll(server, heldFor('sms', ids));
    await withBooks(server, tenantIds, {}, (ledger) => {
      for (const [place, { tenantId, creditReportId }] of chargedFor(failedLater).entries()) {
        ledger.post({ tenantId, kind, sourceId: ids[place] ?? '', amount: PRICE.sms, creditReportId });
      }
    });
    return ids;
  };
  const lateSend = await late('sms-charge');
  const writtenOffSend = await late('sms-writeoff');

  const columns = {
    ...{ tenantId: tenantIds, completeAtOnce, challenged, fetching, failedLater, failedAtOnce, blocked, pending },
    ...{ deliveredSend, openSend, silentSend, lateSend, writtenOffSend },
  };
  return tenantIds.map(
    (_, place) =>
      Object.fromEntries(Object.entries(columns).map(([name, each]) => [name, each[place]])) as SampleLedger,
  );
}

export async function addSampleLedger(server: TestServer): Promise<SampleLedger> {
  const [ledger] = await addSampleLedgers(server, 1);
  if (!ledger) throw new Error('there is no sample');
  return ledger;
}
