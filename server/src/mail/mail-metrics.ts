// The metrics of mail.
import { Counter, Gauge, type Registry } from 'prom-client';
import { beginAtZero } from '../lib/metrics.ts';

export type MailMetrics = ReturnType<typeof createMailMetrics>;

export function createMailMetrics(registry: Registry) {
  const registers = [registry];
  return {
    mails: beginAtZero(
      new Counter({
        name: 'trefoil_mails_total',
        help: 'Attempts to send a mail, by what became of them',
        labelNames: ['outcome'],
        registers,
      }),
      { outcome: ['sent', 'refused', 'given-up', 'put-off', 'unknown', 'pointless'] },
    ),
    mailsWaiting: new Gauge({
      name: 'trefoil_mails_waiting',
      help: 'Mails that are not sent yet; they wait for ever where no mail server is configured',
      registers,
    }),
    mailsOldest: new Gauge({
      name: 'trefoil_mails_oldest_seconds',
      help: 'How long the oldest of them has waited',
      registers,
    }),
  };
}
