// What live mode needs beyond the rest: the ports to other companies, the queue whose members share transactions,
// and how people, numbers and codes are told apart without keeping them.
import type { GenerateRequest } from '@trefoil/contract';
import { createBatch } from '../lib/batch.ts';
import type { Database } from '../lib/database.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Failpoint } from '../lib/failpoints.ts';
import { networkOf } from '../lib/ip-address.ts';
import type { KeyedHash } from '../lib/keyed-hash.ts';
import { mobileCountry } from '../lib/phone.ts';
import { unknownCommit } from '../lib/unavailable.ts';
import type { Decide } from '../screening/decide.ts';
import type { Subjects } from '../screening/note-sightings.ts';
import type { DeviceFacts } from '../screening/port.ts';
import type { Mobile } from './allow-delivery.ts';
import type { FetchReport } from './fetch-report.ts';
import { openReservations, type Reservation, type Reserved } from './reserve-reports.ts';
import { openSettlements, type Settled, type Settlement } from './settle-reports.ts';
import { runParts } from './share-transaction.ts';

export type LiveDependencies = {
  readonly decide: Decide;
  readonly fetchReport: FetchReport;
  /** Undefined when the session is unknown, forged or too old. */
  readonly openSession: (
    sessionId: string,
  ) => { readonly sessionHash: Buffer; readonly facts: DeviceFacts } | undefined;
  /** Hands a queued message to the carrier, later and at most once. */
  readonly dispatch: (tenantId: string, sendId: string) => void;
  readonly reserve: (reservation: Reservation) => Promise<Reserved>;
  readonly settle: (settlement: Settlement) => Promise<Settled>;
  readonly codeOf: (sendId: string) => string;
  readonly hashMobile: KeyedHash;
  readonly hashPerson: KeyedHash;
  /** What is seen again and again, of all tenants together. */
  readonly hashSubject: KeyedHash;
  readonly failpoint: Failpoint;
};

const CLOSED_RETRY_SECONDS = 3_600;

/** Refuses while the deployment has no providers to be live with. */
export function requireLive({ live }: { readonly live: LiveDependencies | undefined }): LiveDependencies {
  if (live) return live;
  throw new ServiceError('service-unavailable', 'Live reports are not open yet. Set test to true to use test mode.', {
    retryAfterSeconds: CLOSED_RETRY_SECONDS,
  });
}

type Item =
  | { readonly kind: 'reserve'; readonly reservation: Reservation }
  | { readonly kind: 'settle'; readonly settlement: Settlement };

const tenantOf = (item: Item) =>
  item.kind === 'reserve' ? item.reservation.report.tenantId : item.settlement.tenantId;

const UNIQUE_VIOLATION = '23505';

/**
 * A repeated attempt looks for what the one before has written. Finding nothing, and then meeting it, means that the
 * server had not finished that commit: worth another look, and nobody's fault.
 */
function asUnfinished(error: unknown): never {
  const isOurs = error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
  throw isOurs ? unknownCommit('an earlier attempt is being committed', error) : error;
}

/**
 * The two transactions of a live report, shared by whoever comes at the same time: one queue for both, since a queue for
 * each would have them wait for one another at every busy wallet (docs/decisions/0119).
 */
export function createQueue(database: Database, failpoint: Failpoint): Pick<LiveDependencies, 'reserve' | 'settle'> {
  const runOnce = (items: readonly Item[], attempt: number): Promise<(Reserved | Settled)[]> =>
    database.forTenants([...new Set(items.map(tenantOf))], async (tx, commitNow) => {
      const reservations = items.flatMap((item) => (item.kind === 'reserve' ? [item.reservation] : []));
      const settlements = items.flatMap((item) => (item.kind === 'settle' ? [item.settlement] : []));
      // Keys are claimed before reports are locked.
      const reserving = await openReservations(tx, reservations, attempt);
      // Settling is repeatable as it stands: what an earlier attempt settled is not open any more.
      const settling = openSettlements(tx, settlements);
      // Settled first: what is given back can be held again.
      const [settled, reserved] = await runParts(tx, [settling, reserving] as const, () => {
        if (settlements.length > 0) failpoint('before-settle-commit');
        if (reservations.length > 0) failpoint('before-reserve-commit');
        commitNow();
      });
      const results = { reserve: reserved.values(), settle: settled.values() };
      return items.map(({ kind }) => results[kind].next().value as Reserved | Settled);
    });
  const run = createBatch<Item, Reserved | Settled>({
    groupOf: tenantOf,
    run: (items, attempt) =>
      attempt > 1 && items.length === 1 ? runOnce(items, attempt).catch(asUnfinished) : runOnce(items, attempt),
  });
  return {
    reserve: async (reservation) => (await run({ kind: 'reserve', reservation })) as Reserved,
    settle: async (settlement) => (await run({ kind: 'settle', settlement })) as Settled,
  };
}

/** The number as far as deciding about a message needs it. */
export function mobileOf(live: LiveDependencies, { mobileNumber }: GenerateRequest): Mobile | undefined {
  if (mobileNumber === undefined) return undefined;
  return { country: mobileCountry(mobileNumber), numberHash: live.hashMobile(mobileNumber) };
}

/** Whatever the spelling of their names. */
function identityOf({ firstName, lastName, dateOfBirth, addresses }: GenerateRequest): readonly string[] {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return [fold(firstName), fold(lastName), dateOfBirth, addresses[0]?.ukAddress.postcode ?? ''];
}

/** The same person asking again from the same page: names, birth date and where they live. */
export function personOf(live: LiveDependencies, tenantId: string, request: GenerateRequest): Buffer {
  return live.hashPerson(tenantId, ...identityOf(request));
}

/** Enough to tell subjects apart, and half the index. */
const SUBJECT_BYTES = 16;

export function subjectsOf(
  live: LiveDependencies,
  request: GenerateRequest,
  device: DeviceFacts | undefined,
): Subjects {
  const hash = (...parts: readonly string[]) => live.hashSubject(...parts).subarray(0, SUBJECT_BYTES);
  const { ipAddress, mobileNumber } = request;
  const [identity, network] = [identityOf(request), networkOf(ipAddress)];
  return {
    person: hash('person', ...identity),
    network: hash('network', network),
    device: device && {
      atNetwork: hash('device', device.deviceDigest, network),
      withPerson: hash('device-of', device.deviceDigest, ...identity),
    },
    mobile: mobileNumber === undefined ? undefined : hash('mobile', mobileNumber),
  };
}
