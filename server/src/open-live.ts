// The second half of the composition root: builds live mode from the configuration's providers or from a test's
// stand-ins.

import { BUREAUS } from '@trefoil/contract';
import type { BureauMetrics } from './bureaus/bureau-metrics.ts';
import { type Bureaus, createBureaus } from './bureaus/registry.ts';
import type { Config, Providers } from './config.ts';
import type { LiveDependencies, ReportDependencies, ReportQueue } from './credit-reports/dependencies.ts';
import { NODE_PLACE, SCREENING_PLACE } from './credit-reports/live/admit-report.ts';
import { createFetchReport, type FetchReport } from './credit-reports/live/fetch-report.ts';
import { openLeases } from './credit-reports/live/keep-leases.ts';
import { type AskCarrier, createAskCarrier } from './credit-reports/messages/ask-carrier.ts';
import { openReceipts, type Receipts } from './credit-reports/messages/receive-receipt.ts';
import { createSmsDispatcher, type SmsDispatcher } from './credit-reports/messages/send-sms.ts';
import { createDeviceSessions } from './fingerprints/device-session.ts';
import { openLargeFiles } from './large-files.ts';
import { createKeyedHash } from './lib/crypto/keyed-hash.ts';
import { createCodeOf } from './lib/crypto/one-time-code.ts';
import { createPlaces, type Places } from './lib/limits/places.ts';
import type { Presence } from './lib/limits/presence.ts';
import { openWorkLimit, WORK_MAX, type WorkLimit } from './lib/limits/work-limit.ts';
import type { Log } from './lib/log.ts';
import type { OpenDatabase } from './lib/postgres/database.ts';
import { createDecide } from './screening/decide.ts';
import { createHttpScreening, SCREENING_CONCURRENT_MAX } from './screening/http-screening.ts';
import type { Screening } from './screening/port.ts';
import type { Carrier } from './sms/port.ts';
import { createTwilio } from './sms/twilio.ts';

type Closable = { close(): Promise<void> };

export type LivePorts = {
  readonly screening: Screening & Closable;
  readonly fetchReport: FetchReport;
  readonly carrier: Carrier;
};

export type Live = {
  readonly dependencies: LiveDependencies;
  readonly dispatcher: SmsDispatcher;
  readonly receipts: Receipts;
  /** Undefined when the carrier offers no status query. */
  readonly askCarrier: AskCarrier | undefined;
  readonly carriers: ReadonlyMap<string, Carrier>;
  followLoop(): void;
  close(): Promise<void>;
};

type Parts = Pick<ReportDependencies, 'vault'> & {
  readonly database: OpenDatabase;
  readonly queue: ReportQueue;
  readonly metrics: ReportDependencies['metrics'] & BureauMetrics;
  readonly log: Log;
  readonly now: () => Date;
  readonly failpoint: LiveDependencies['failpoint'];
  readonly presence: Presence;
};

/** How many reports may wait briefly for their places. */
const WAITING_MAX = 256;
/** The same for a tenant that is held back because the node is busy. */
const LIMITED = { perSecond: 20, aloneMs: 1_000, waitingMax: 16, waitMs: 50 };
/** A hanging provider occupies its places for long: a tenant gets half of them, unless it was alone for a minute. */
const HALF_ALONE_MS = 60_000;

/** As many places as the guards let through; a test's stand-in has no limit of its own. */
function openPlaces({ providers }: Config, isAlone: Presence['isAlone']): Places {
  const bureaus = Object.entries(providers?.bureaus ?? {}).map(([bureau, settings]) => [
    bureau,
    settings.maxConcurrent,
  ]);
  const counts: Record<string, number> = {
    ...Object.fromEntries(bureaus),
    ...(providers && { [SCREENING_PLACE]: providers.screening.maxConcurrent ?? SCREENING_CONCURRENT_MAX }),
    [NODE_PLACE]: WORK_MAX,
  };
  const places = createPlaces({ counts, waitingMax: WAITING_MAX, isAlone });
  for (const [kind, count] of Object.entries(counts)) {
    if (kind !== NODE_PLACE) places.limitGroup(kind, { count: Math.ceil(count / 2), aloneMs: HALF_ALONE_MS });
  }
  return places;
}

type Opened = LivePorts & Closable & Pick<Bureaus, 'configured'>;

function openPorts({ lenders, baseUrl }: Config, providers: Providers, metrics: BureauMetrics): Opened {
  const largeFiles = openLargeFiles(lenders);
  const bureaus = createBureaus(providers.bureaus, {
    read: largeFiles.read,
    observer: {
      onOutcome: ({ bureau, kind, reason, timeMs }) =>
        metrics.bureauAnswers.observe({ bureau, outcome: kind, reason: reason ?? '' }, timeMs / 1_000),
      onWarning: ({ bureau, field, kind, count }) => metrics.bureauWarnings.inc({ bureau, field, kind }, count),
    },
  });
  const screening = createHttpScreening(providers.screening);
  const carrier = createTwilio({ ...providers.sms, callbackBaseUrl: baseUrl });
  return {
    screening,
    carrier,
    configured: bureaus.configured,
    fetchReport: createFetchReport(bureaus.ask, largeFiles.merge),
    async close() {
      await Promise.all([bureaus.close(), screening.close(), carrier.close()]);
      await largeFiles.close();
    },
  };
}

/** Undefined when there are neither providers nor stand-ins: then only test mode works. */
export function openLive(config: Config, parts: Parts, standIns: Partial<LivePorts> = {}): Live | undefined {
  const { database, vault, queue, metrics, log, now, failpoint, presence } = parts;
  const opened = config.providers && openPorts(config, config.providers, metrics);
  const { screening, fetchReport, carrier } = { ...opened, ...standIns };
  if (!screening || !fetchReport || !carrier) return undefined;
  const codeOf = createCodeOf(createKeyedHash(config.hashKey, 'one-time-code'));
  const sessions = createDeviceSessions(config.vaultKeys);
  const background = database.jobs;
  const dispatcher = createSmsDispatcher({
    ...{ database: background, vault, queue, metrics, log, codeOf, failpoint },
    sender: carrier,
  });
  const receipts = openReceipts({ database: background, queue, log, metrics });
  carrier.pushReceipts?.((receipt) => receipts.take(carrier.name, receipt));
  const leases = openLeases(background, log);
  const places = openPlaces(config, presence.isAlone);
  let workLimit: WorkLimit | undefined;
  return {
    dependencies: {
      decide: createDecide(screening, now),
      fetchReport,
      // A stand-in for all of them answers for all of them.
      bureaus: (standIns.fetchReport ? undefined : opened?.configured) ?? BUREAUS,
      openSession(sessionId) {
        const session = sessions.open(sessionId, now());
        return session.kind === 'known' ? session : undefined;
      },
      dispatch: dispatcher.dispatch,
      places,
      leases,
      codeOf,
      hashMobile: createKeyedHash(config.hashKey, 'mobile'),
      hashPerson: createKeyedHash(config.hashKey, 'person'),
      hashSignal: createKeyedHash(config.hashKey, 'sighting'),
      failpoint,
    },
    dispatcher,
    receipts,
    askCarrier: createAskCarrier({ database: background, carrier, applyReceipt: receipts.take, metrics }),
    carriers: new Map([[carrier.name, carrier]]),
    followLoop() {
      workLimit = openWorkLimit({
        taken: () => places.taken(NODE_PLACE),
        largest: () => places.largest(NODE_PLACE),
        largestShare: presence.largestShare,
        isAlone: () => presence.isAlone(LIMITED.aloneMs),
        resize: (count) => places.resize(NODE_PLACE, count),
        limitGroup: (count) => places.limitGroup(NODE_PLACE, { count, ...LIMITED }),
      });
    },
    async close() {
      await dispatcher.idle();
      await receipts.idle();
      leases.close();
      workLimit?.close();
      await opened?.close();
    },
  };
}
