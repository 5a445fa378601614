// The second half of the composition root: builds live mode from the configuration's providers or from a test's
// stand-ins.

import { BUREAUS } from '@trefoil/contract';
import type { BureauMetrics } from './bureaus/bureau-metrics.ts';
import { type Bureaus, createBureaus } from './bureaus/registry.ts';
import type { Config, Providers } from './config.ts';
import type { LiveDependencies, ReportDependencies, ReportQueue } from './credit-reports/dependencies.ts';
import { SCREENING_PLACE } from './credit-reports/live/admit-report.ts';
import { createFetchReport, type FetchReport } from './credit-reports/live/fetch-report.ts';
import { openLeases } from './credit-reports/live/keep-leases.ts';
import { openPlaces } from './credit-reports/live/open-places.ts';
import { openMessages } from './credit-reports/messages/open-messages.ts';
import { openLargeFiles } from './large-files.ts';
import { createRingHash } from './lib/crypto/hash-ring.ts';
import { createCodes } from './lib/crypto/one-time-code.ts';
import type { Presence } from './lib/limits/presence.ts';
import type { Log } from './lib/log.ts';
import type { OpenDatabase } from './lib/postgres/database.ts';
import { NO_TRACES, type Tracer } from './lib/traces/tracer.ts';
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

export type Live = Omit<ReturnType<typeof openMessages>, 'idle'> & {
  readonly dependencies: LiveDependencies;
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
  readonly openSession: LiveDependencies['openSession'];
  readonly tracer?: Tracer;
  /** How many times as long as usual this node waits for its own parts. */
  readonly patience?: number;
};

/** As many places as the providers' guards let through; a test's stand-in has no limit of its own. */
function countPlaces({ providers }: Config): Record<string, number> {
  if (!providers) return {};
  const bureaus = Object.entries(providers.bureaus).map(([bureau, { maxConcurrent }]) => [bureau, maxConcurrent]);
  return {
    ...Object.fromEntries(bureaus),
    [SCREENING_PLACE]: providers.screening.maxConcurrent ?? SCREENING_CONCURRENT_MAX,
  };
}

type Opened = LivePorts & Closable & Pick<Bureaus, 'configured'>;

function openPorts(
  { lenders, baseUrl }: Config,
  providers: Providers,
  parts: Pick<Parts, 'metrics' | 'patience'>,
): Opened {
  const { metrics, patience } = parts;
  const largeFiles = openLargeFiles(lenders);
  const bureaus = createBureaus(providers.bureaus, {
    read: largeFiles.read,
    observer: {
      onOutcome: ({ bureau, kind, reason, timeMs }) =>
        metrics.bureauAnswers.observe({ bureau, outcome: kind, reason: reason ?? '' }, timeMs / 1_000),
      onWarning: ({ bureau, field, kind, count }) => metrics.bureauWarnings.inc({ bureau, field, kind }, count),
    },
  });
  const screening = createHttpScreening(providers.screening, patience);
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
  const { database, vault, queue, metrics, log, now, failpoint, presence, openSession, tracer = NO_TRACES } = parts;
  const { patience = 1 } = parts;
  const opened = config.providers && openPorts(config, config.providers, parts);
  const { screening, fetchReport, carrier } = { ...opened, ...standIns };
  if (!screening || !fetchReport || !carrier) return undefined;
  const codes = createCodes(config.hashKeys);
  const background = database.jobs;
  const { dispatcher, receipts, askCarrier, carriers, idle } = openMessages({
    ...{ database: background, vault, queue, metrics, log, codes, failpoint, carrier, tracer, patience },
  });
  const leases = openLeases(background, log);
  const node = openPlaces(countPlaces(config), presence);
  return {
    dependencies: {
      ...{ fetchReport, openSession, leases, codes, failpoint, patience },
      decide: createDecide(screening, now),
      // A stand-in for all of them answers for all of them.
      bureaus: (standIns.fetchReport ? undefined : opened?.configured) ?? BUREAUS,
      dispatch: dispatcher.dispatch,
      places: node.places,
      hashMobile: createRingHash(config.hashKeys, 'mobile'),
      hashPerson: createRingHash(config.hashKeys, 'person'),
      hashSignal: createRingHash(config.hashKeys, 'sighting'),
    },
    ...{ dispatcher, receipts, askCarrier, carriers },
    followLoop: node.followLoop,
    async close() {
      await idle();
      leases.close();
      node.close();
      await opened?.close();
    },
  };
}
