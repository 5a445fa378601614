// The second half of the composition root: what live mode is made of, out of the configuration's providers or the
// stand-ins a test hands in.

import { createBureaus } from './bureaus/registry.ts';
import type { Config, Providers } from './config.ts';
import type { ReportDependencies } from './credit-reports/dependencies.ts';
import { createFetchReport, type FetchReport } from './credit-reports/fetch-report.ts';
import { createQueue, type LiveDependencies } from './credit-reports/live.ts';
import { createSmsDispatcher, type SmsDispatcher } from './credit-reports/send-sms.ts';
import { createDeviceSessions } from './fingerprints/device-session.ts';
import { createFailpoint } from './lib/failpoints.ts';
import { createKeyedHash } from './lib/keyed-hash.ts';
import type { Log } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import { createCodeOf } from './lib/one-time-code.ts';
import { createDecide } from './screening/decide.ts';
import { createHttpScreening } from './screening/http-screening.ts';
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
  readonly carriers: ReadonlyMap<string, Carrier>;
  close(): Promise<void>;
};

type Parts = Pick<ReportDependencies, 'database' | 'vault'> & {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => Date;
};

function openPorts({ lenders, baseUrl }: Config, providers: Providers, metrics: Metrics): LivePorts & Closable {
  const bureaus = createBureaus(providers.bureaus, {
    observer: {
      onOutcome: ({ bureau, kind, reason, timeMs }) =>
        metrics.bureauAnswers.observe({ bureau, outcome: kind, reason: reason ?? '' }, timeMs / 1_000),
      onWarning: ({ bureau, field, kind, count }) => metrics.bureauWarnings.inc({ bureau, field, kind }, count),
    },
  });
  const screening = createHttpScreening(providers.screening);
  const carrier = createTwilio({ ...providers.sms, callbackBaseUrl: baseUrl } as Parameters<typeof createTwilio>[0]);
  return {
    screening,
    carrier,
    fetchReport: createFetchReport(bureaus.ask, lenders),
    async close() {
      await Promise.all([bureaus.close(), screening.close(), carrier.close()]);
    },
  };
}

/** Undefined when there are neither providers nor stand-ins: then test mode alone is open. */
export function openLive(config: Config, parts: Parts, standIns: Partial<LivePorts> = {}): Live | undefined {
  const { database, vault, metrics, log, now } = parts;
  const opened = config.providers && openPorts(config, config.providers, metrics);
  const { screening, fetchReport, carrier } = { ...opened, ...standIns };
  if (!screening || !fetchReport || !carrier) return undefined;
  if (config.failpoint) log.warn('a failpoint is armed: this process will kill itself');
  const failpoint = createFailpoint(config.failpoint, () => process.kill(process.pid, 'SIGKILL'));
  const codeOf = createCodeOf(createKeyedHash(config.hashKey, 'one-time-code'));
  const sessions = createDeviceSessions(config.vaultKeys);
  const dispatcher = createSmsDispatcher({ database, vault, metrics, log, sender: carrier, codeOf, failpoint });
  return {
    dependencies: {
      decide: createDecide(screening, now),
      fetchReport,
      openSession(sessionId) {
        const session = sessions.open(sessionId, now());
        return session.kind === 'known' ? session : undefined;
      },
      dispatch: dispatcher.dispatch,
      ...createQueue(database, failpoint),
      codeOf,
      hashMobile: createKeyedHash(config.hashKey, 'mobile'),
      hashPerson: createKeyedHash(config.hashKey, 'person'),
      hashSubject: createKeyedHash(config.hashKey, 'sighting'),
      failpoint,
    },
    dispatcher,
    carriers: new Map([[carrier.name, carrier]]),
    async close() {
      await dispatcher.idle();
      await opened?.close();
    },
  };
}
