// What every carrier's adapter has to keep, against its simulator over real HTTP. Tests only.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Carrier, CarrierReceipt, ReceiptRequest, SmsOutcome } from '../port.ts';

export type Situation =
  | 'delivered'
  | 'undelivered'
  | 'forgotten'
  | 'duplicated'
  | 'reordered'
  | 'refused'
  /** Taken, and the answer says that something broke. */
  | 'lost'
  | 'hung';

export type CarrierBench = {
  readonly carrier: Carrier;
  /** The deadline the carrier was built with. */
  readonly timeoutMs: number;
  /** A number at which the simulator behaves so. */
  readonly numbers: Readonly<Record<Situation, string>>;
  /** As the simulator counted them. */
  submits(sendId: string): Promise<number>;
  /** What the simulator told us about this send, once it has told so much. */
  receipts(sendId: string, count: number): Promise<readonly ReceiptRequest[]>;
  stop(): Promise<void>;
};

const OUTCOMES: Readonly<Record<Situation, SmsOutcome['kind']>> = {
  delivered: 'accepted',
  undelivered: 'accepted',
  forgotten: 'accepted',
  duplicated: 'accepted',
  reordered: 'accepted',
  refused: 'refused',
  lost: 'unknown',
  hung: 'unknown',
};

const RECEIPTS: Partial<Record<Situation, readonly CarrierReceipt['status'][]>> = {
  delivered: ['sent', 'delivered'],
  undelivered: ['sent', 'undelivered'],
  duplicated: ['sent', 'sent', 'delivered', 'delivered'],
  reordered: ['delivered', 'sent', 'undelivered'],
  lost: ['sent', 'delivered'],
};

const SLACK_MS = 300;
const TEXT = '391842 is your code for Larkfield Loans.';

export function checkCarrier(name: string, start: () => Promise<CarrierBench>): void {
  describe(`${name} keeps the carrier’s contract`, () => {
    let bench: CarrierBench;
    beforeAll(async () => {
      bench = await start();
    });
    afterAll(() => bench.stop());

    async function send(situation: Situation) {
      const message = { to: bench.numbers[situation], text: TEXT, sendId: randomUUID(), tenantId: randomUUID() };
      return { message, outcome: await bench.carrier.send(message) };
    }

    for (const [situation, kind] of Object.entries(OUTCOMES) as [Situation, SmsOutcome['kind']][]) {
      test(`${situation}: ${kind}, by the deadline, and submitted exactly once`, async () => {
        const startedMs = performance.now();
        const { message, outcome } = await send(situation);
        expect(outcome.kind).toBe(kind);
        expect(performance.now() - startedMs).toBeLessThan(bench.timeoutMs + SLACK_MS);
        expect(await bench.submits(message.sendId)).toBe(1);
      });

      test(`${situation}: the outcome tells neither the number nor the text`, async () => {
        const { message, outcome } = await send(situation);
        const told = JSON.stringify(outcome) + (outcome.kind === 'unknown' ? String(outcome.cause) : '');
        expect(told).not.toContain(message.to.slice(-6));
        expect(told).not.toContain('391842');
        expect(told).not.toContain('Larkfield');
      });
    }

    for (const [situation, statuses] of Object.entries(RECEIPTS) as [Situation, CarrierReceipt['status'][]][]) {
      test(`${situation}: its receipts read ${statuses.join(', ')}, and name the send and the tenant`, async () => {
        const { message, outcome } = await send(situation);
        const { sendId, tenantId } = message;
        const readings = (await bench.receipts(sendId, statuses.length)).map((each) => bench.carrier.readReceipt(each));
        const carrierRef = outcome.kind === 'accepted' ? outcome.carrierRef : expect.any(String);
        expect(readings).toEqual(
          statuses.map((status) => ({ kind: 'receipt', receipt: { tenantId, sendId, carrierRef, status } })),
        );
      });
    }

    test('a receipt about another send or tenant, with other content, or unsigned, is refused', async () => {
      const { message } = await send('delivered');
      const [receipt] = await bench.receipts(message.sendId, 1);
      if (!receipt) throw new Error('no receipt');
      const altered: readonly ReceiptRequest[] = [
        { ...receipt, url: receipt.url.replace(message.sendId, randomUUID()) },
        { ...receipt, url: receipt.url.replace(message.tenantId, randomUUID()) },
        { ...receipt, body: receipt.body.replaceAll('sent', 'delivered') },
        { ...receipt, headers: {} },
      ];
      for (const each of altered) expect(bench.carrier.readReceipt(each)).toEqual({ kind: 'refused' });
      expect(bench.carrier.readReceipt(receipt).kind).toBe('receipt');
    });
  });
}
