// What every carrier's adapter must guarantee, against its simulator over real HTTP. Tests only.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { endsAfter, startClock, stopClock } from '../../lib/testing/stopped-clock.ts';
import type {
  AskOutcome,
  Carrier,
  CarrierReceipt,
  MessageAsker,
  ReceiptReader,
  ReceiptRequest,
  SmsOutcome,
} from '../port.ts';

export type Situation =
  | 'delivered'
  | 'undelivered'
  /** No receipt comes, and the carrier knows nothing when it is asked. */
  | 'forgotten'
  /** Delivered, but no receipt says so. */
  | 'unheard'
  | 'duplicated'
  | 'reordered'
  | 'refused'
  /** Accepted, but the response reports a failure. */
  | 'lost'
  | 'hung';

export type CarrierBench = {
  /**
   * The rules about asking do not apply to a carrier that cannot be asked. Its deadline is 15 seconds or more: what the simulator
   * answers must not come too late on a busy machine. The simulator runs in this process and answers without a pause.
   */
  readonly carrier: Carrier & ReceiptReader;
  /** The deadline of `carrier`, and of its asks. A test may let it pass on a stopped clock. */
  readonly timeoutMs: number;
  readonly askTimeoutMs: number;
  /** A number for which the simulator behaves this way. */
  readonly numbers: Readonly<Record<Situation, string>>;
  /** As the simulator counted them. */
  submits(sendId: string): Promise<number>;
  /** The simulator's receipts for this send, once there are this many. */
  receipts(sendId: string, count: number): Promise<readonly ReceiptRequest[]>;
  /** Makes the receiver refuse the first receipts for this send with these statuses, in order. */
  refuseReceipts(sendId: string, statuses: readonly number[]): void;
  /** Makes every question from now on fail. */
  failAsks(): Promise<void>;
  stop(): Promise<void>;
};

const OUTCOMES: Readonly<Record<Situation, SmsOutcome['kind']>> = {
  delivered: 'accepted',
  undelivered: 'accepted',
  forgotten: 'accepted',
  unheard: 'accepted',
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

const ASKED: Partial<Record<Situation, AskOutcome>> = {
  delivered: { kind: 'final', status: 'delivered' },
  undelivered: { kind: 'final', status: 'undelivered' },
  forgotten: { kind: 'open' },
  unheard: { kind: 'final', status: 'delivered' },
};

const TEXT = '391842 is your code for Larkfield Loans.';

export function checkCarrier(name: string, start: () => Promise<CarrierBench>): void {
  describe(`${name} keeps the carrier’s contract`, () => {
    let bench: CarrierBench;
    beforeAll(async () => {
      bench = await start();
    });
    afterEach(startClock);
    afterAll(() => bench.stop());

    async function send(situation: Situation, sendId: string = randomUUID()) {
      const message = { to: bench.numbers[situation], text: TEXT, sendId, tenantId: randomUUID() };
      if (situation !== 'hung') return { message, outcome: await bench.carrier.send(message) };
      stopClock();
      const sending = bench.carrier.send(message);
      await eventually(async () => expect(await bench.submits(sendId)).toBeGreaterThan(0));
      return { message, outcome: await endsAfter(bench.timeoutMs, sending) };
    }

    for (const [situation, kind] of Object.entries(OUTCOMES) as [Situation, SmsOutcome['kind']][]) {
      test(`${situation}: ${kind}, by the deadline, and submitted exactly once`, async () => {
        const { message, outcome } = await send(situation);
        expect(outcome.kind).toBe(kind);
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

    test('a receipt that meets an outage of ours is told again, and reads as the first', async () => {
      const sendId = randomUUID();
      bench.refuseReceipts(sendId, [503, 500]);
      await send('delivered', sendId);
      const told = (await bench.receipts(sendId, 4)).map((each) => bench.carrier.readReceipt(each));
      const statuses = told.map((reading) => (reading.kind === 'receipt' ? reading.receipt.status : reading.kind));
      expect(statuses).toEqual(['sent', 'sent', 'sent', 'delivered']);
    });

    /** The message's reference, once it was accepted. */
    async function sendAndAsk(situation: Situation): Promise<{ carrierRef: string; asker: MessageAsker } | undefined> {
      const { ask } = bench.carrier;
      if (ask === undefined) return undefined;
      const { outcome } = await send(situation);
      if (outcome.kind !== 'accepted') throw new Error('not accepted');
      return { carrierRef: outcome.carrierRef, asker: { ask } };
    }

    for (const [situation, expected] of Object.entries(ASKED) as [Situation, AskOutcome][]) {
      test(`${situation}: asked, it is ${JSON.stringify(expected)}`, async () => {
        const sent = await sendAndAsk(situation);
        // The carrier may first have to report the message's own receipts.
        await eventually(async () => expect(await sent?.asker.ask(sent.carrierRef)).toEqual(sent && expected));
      });
    }

    test('asked about a message it does not know, or about none: unknown', async () => {
      const sent = await sendAndAsk('delivered');
      if (!sent) return;
      const other = sent.carrierRef.replace(/..$/, (end) => (end === '00' ? '11' : '00'));
      for (const carrierRef of [other, '', '../../Messages', `${sent.carrierRef}/Media`])
        expect((await sent.asker.ask(carrierRef)).kind).toBe('unknown');
    });

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

    test('asks that fail are unknown by the deadline, and messages go out beside them', async () => {
      const sent = await sendAndAsk('unheard');
      if (!sent) return;
      await bench.failAsks();
      stopClock();
      let ended = 0;
      const ask = () =>
        sent.asker.ask(sent.carrierRef).finally(() => {
          ended += 1;
        });
      const asking = Promise.all(Array.from({ length: 30 }, ask));
      const beside = { to: bench.numbers.delivered, text: TEXT, sendId: randomUUID(), tenantId: randomUUID() };
      expect((await bench.carrier.send(beside)).kind).toBe('accepted');
      expect(ended).toBe(0);
      const outcomes = await endsAfter(bench.askTimeoutMs, asking);
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['unknown']));
    });
  });
}
