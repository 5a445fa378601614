// The front door of messages: hands them to the carrier, takes its receipts, and asks it about messages without one.
import type { Database } from '../../lib/postgres/database.ts';
import type { Tracer } from '../../lib/traces/tracer.ts';
import type { Carrier } from '../../sms/port.ts';
import type { LiveDependencies, ReportDependencies } from '../dependencies.ts';
import { createAskCarrier } from './ask-carrier.ts';
import { openReceipts } from './receive-receipt.ts';
import { createSmsDispatcher } from './send-sms.ts';

type Surroundings = Pick<ReportDependencies, 'vault' | 'queue' | 'metrics' | 'log'> &
  Pick<LiveDependencies, 'codes' | 'failpoint' | 'patience'> & {
    /** The jobs' connection pool: messages must not take the connections of requests. */
    readonly database: Database;
    readonly carrier: Carrier;
    readonly tracer?: Tracer;
  };

export function openMessages({ carrier, codes, failpoint, ...around }: Surroundings) {
  const { database, metrics } = around;
  const dispatcher = createSmsDispatcher({ ...around, codes, failpoint, sender: carrier });
  const receipts = openReceipts(around);
  carrier.pushReceipts?.((receipt) => receipts.take(carrier.name, receipt));
  return {
    dispatcher,
    receipts,
    /** Undefined when the carrier offers no status query. */
    askCarrier: createAskCarrier({ database, carrier, applyReceipt: receipts.take, metrics }),
    carriers: new Map([[carrier.name, carrier]]),
    /** Resolves when no message is being submitted and no receipt waits to be applied. */
    async idle(): Promise<void> {
      await dispatcher.idle();
      await receipts.idle();
    },
  };
}
