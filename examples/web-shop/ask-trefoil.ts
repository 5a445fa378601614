// The shop's three calls of Trefoil, and what each outcome and each error means for an order. Every outcome is named: with
// `match`, and with `unreachable` after a switch, leaving one out does not compile.
import { match, outcomeOf, type Trefoil, TrefoilError, TrefoilNoAnswerError, unreachable } from '@trefoil/sdk';
import { type Faults, type Form, faultsOf } from './request-of-form.ts';
import type { Change, Order, Store } from './store.ts';

export type Asked =
  | { readonly kind: 'settled' }
  | { readonly kind: 'form-faults'; readonly form: Form; readonly faults: Faults };
/** `words` are for the consumer, above the field for the code. `isGood`: nothing went wrong. */
export type Told = { readonly words: string; readonly isGood?: true };

const SETTLED: Asked = { kind: 'settled' };
const UNSENT = 'We could not reach the service that checks the code. Please send it again.';

/** For people who look after the shop. A real shop sends this to its alerts; it holds nothing about the consumer. */
function tellStaff(order: Order, note: string): string {
  console.error(`order ${order.id}: ${note}`);
  return note;
}

/** What staff need to know of an error, and what to quote when they ask the operator. */
function noteOf(error: TrefoilError | TrefoilNoAnswerError): string {
  if (error instanceof TrefoilNoAnswerError) {
    const effect = error.wasSent ? 'A repeat with the same key is safe.' : 'Nothing was sent.';
    return `No answer (${error.reason}). ${effect}`;
  }
  if (error.is('insufficient-funds', 'insufficient-credits')) {
    return `The wallet has too few credits: ${error.required} needed, ${error.available} available. Top it up.`;
  }
  return `${error.status} ${error.code}: ${error.message} (request ${error.requestId ?? 'without an id'})`;
}

function knownError(error: unknown): TrefoilError | TrefoilNoAnswerError {
  if (error instanceof TrefoilError || error instanceof TrefoilNoAnswerError) return error;
  throw error;
}

export function createAsking(trefoil: Trefoil, store: Store) {
  /** One call for an order at a time. Between several servers, the key does the same. */
  const asking = new Map<string, Promise<Asked>>();

  async function ask(order: Order): Promise<Asked> {
    const kept = store.findRequest(order.id);
    if (!kept) return SETTLED;
    const { request, form } = kept;
    try {
      const answer = await trefoil.generate(request, { idempotencyKey: order.id });
      const { creditReportId } = answer.data;
      const end = (status: Change['status'], note = '') => ({ status, creditReportId, note });
      store.updateOrder(
        order.id,
        match<Change>(answer, {
          traced: () => end('complete'),
          'partly-traced': ({ coverage }) => end('complete', coverage.message),
          'not-traced': ({ coverage }) => end('not-found', coverage.message),
          'authentication-required': ({ challengeId }) => ({ ...end('code-needed'), challengeId }),
          blocked: () => end('blocked'),
          failed: ({ errorMessage }) => end('failed', errorMessage),
        }),
      );
    } catch (thrown) {
      const error = knownError(thrown);
      const faults =
        error instanceof TrefoilError && error.is('validation-error') ? faultsOf(error.details) : undefined;
      if (faults) {
        store.deleteOrder(order.id);
        return { kind: 'form-faults', form, faults };
      }
      // Too few credits, too busy, away, or a fault of ours: nothing that the consumer can correct. The order waits.
      const creditReportId = error instanceof TrefoilError ? (error.creditReportId ?? null) : null;
      store.updateOrder(order.id, { status: 'try-later', creditReportId, note: tellStaff(order, noteOf(error)) });
    }
    return SETTLED;
  }

  return {
    /** For a new order, a second click, and "Try again": always the same request with the same key. */
    askForReport(order: Order): Promise<Asked> {
      if (order.status !== 'asking' && order.status !== 'try-later') return Promise.resolve(SETTLED);
      const running = asking.get(order.id) ?? ask(order).finally(() => asking.delete(order.id));
      asking.set(order.id, running);
      return running;
    },

    /** `key` is made with the code's form: a double click on a wrong code uses one attempt and not two. */
    async submitCode(order: Order, code: string, key: string): Promise<Told> {
      const { creditReportId, challengeId } = order;
      if (!creditReportId || !challengeId) return { words: '' };
      try {
        const answer = await trefoil.submitOtp(creditReportId, { challengeId, code }, { idempotencyKey: key });
        const outcome = outcomeOf(answer);
        switch (outcome.kind) {
          case 'traced':
            store.updateOrder(order.id, { status: 'complete' });
            return { words: '' };
          case 'partly-traced':
            store.updateOrder(order.id, { status: 'complete', note: outcome.coverage.message });
            return { words: '' };
          case 'not-traced':
            store.updateOrder(order.id, { status: 'not-found', note: outcome.coverage.message });
            return { words: '' };
          case 'retry': {
            const { attemptsRemaining } = outcome;
            store.updateOrder(order.id, { status: 'code-needed', attemptsRemaining });
            return { words: 'That code is not right.' };
          }
          case 'failed':
            store.updateOrder(order.id, { status: 'failed', note: outcome.errorMessage });
            return { words: '' };
          default:
            return unreachable(outcome);
        }
      } catch (thrown) {
        const error = knownError(thrown);
        if (error instanceof TrefoilError) {
          if (error.is('challenge-expired')) {
            store.updateOrder(order.id, { status: 'expired' });
            return { words: '' };
          }
          if (error.is('validation-error')) return { words: 'Type the six digits of the message.' };
          // The form came from the browser's history and has the key of an earlier code. The new page has a new key.
          if (error.is('idempotency-key-reused')) return { words: 'Please type the code once more.' };
        }
        tellStaff(order, noteOf(error));
        return { words: UNSENT };
      }
    },

    async resend(order: Order, key: string): Promise<Told> {
      const { creditReportId, challengeId } = order;
      if (!creditReportId || !challengeId) return { words: '' };
      try {
        const { data } = await trefoil.resendSms(creditReportId, { challengeId }, { idempotencyKey: key });
        store.updateOrder(order.id, { status: 'code-needed', messagesRemaining: data.remainingSmsCount });
        return { words: 'We have sent another message. Earlier codes still work.', isGood: true };
      } catch (thrown) {
        const error = knownError(thrown);
        if (error instanceof TrefoilError && error.is('challenge-expired')) {
          store.updateOrder(order.id, { status: 'expired' });
          return { words: '' };
        }
        if (error instanceof TrefoilError && error.is('sms-limit-reached')) {
          store.updateOrder(order.id, { status: 'code-needed', messagesRemaining: 0 });
          return { words: 'We can send no more messages. The codes that you have still work.' };
        }
        tellStaff(order, noteOf(error));
        return { words: 'We could not send another message just now. The codes that you have still work.' };
      }
    },
  };
}
