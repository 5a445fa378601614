// What the consumer sees of an order: one page for each status, with what they can do next.
import type { Coverage, CreditReport } from '@trefoil/sdk';
import type { Told } from '../ask-trefoil.ts';
import type { Order, Status } from '../store.ts';
import { type Html, html, layout } from './html.ts';

/** `unavailable`: the report is there, but it could not be read just now. */
export type Shown =
  | { readonly kind: 'report'; readonly creditReport: CreditReport; readonly coverage: Coverage }
  | { readonly kind: 'unavailable' };

export type OrderPage = {
  readonly order: Order;
  readonly status: Status;
  readonly shown: Shown | undefined;
  /** Made with the page: one for the code, one for another message. */
  readonly keys: { readonly code: string; readonly resend: string };
  /** About the code or the message that was just asked for. */
  readonly told: Told;
  readonly isTest: boolean;
};

const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
/** Amounts in a report are pence, or not stated. */
const money = (amount: { readonly amount: number } | null | undefined) =>
  amount ? POUNDS.format(amount.amount / 100) : 'not stated';
const START_AGAIN = html`<p><a class="button" href="/">Start again</a></p>`;
const OTHER_WAY = html`<p>You can also buy in our workshop: write to <a href="mailto:help@example.com">help@example.com</a>.</p>`;

function codeStep({ order, keys, told: { words, isGood } }: OrderPage): Html {
  const { id, attemptsRemaining, messagesRemaining } = order;
  const left = attemptsRemaining === 1 ? 'You can try once more.' : `You can try ${attemptsRemaining} times.`;
  const resend = html`
      <form method="post" action="/orders/${id}/resend">
        <input type="hidden" name="key" value="${keys.resend}">
        <p>No message? We can send ${messagesRemaining === 1 ? 'one more' : `${messagesRemaining} more`}.</p>
        <button type="submit" class="second">Send another message</button>
      </form>`;
  return html`
      <h1>Type the code from your phone</h1>
      <p>We have sent a text message with six digits to your mobile. A code works for five minutes.</p>
      ${words ? html`<p class="notice${isGood ? '' : ' bad'}" role="alert">${words}</p>` : undefined}
      <form method="post" action="/orders/${id}/code">
        <input type="hidden" name="key" value="${keys.code}">
        <div class="field">
          <label for="code">Code</label>
          <p class="hint" id="code-hint">${left}</p>
          <input id="code" name="code" class="digits-6" required inputmode="numeric" autocomplete="one-time-code"
            maxlength="12" aria-describedby="code-hint">
        </div>
        <button type="submit">Continue</button>
      </form>
      ${messagesRemaining > 0 ? resend : html`<p>We can send no more messages.</p>`}`;
}

const NOT_FOUND = html`
      <h1>The bureaus did not find you</h1>
      <p>No bureau has a file under the name and address that you gave. This says nothing good or bad about your credit.</p>
      <p>If you have moved in the last years, start again with your former address.</p>${START_AGAIN}${OTHER_WAY}`;

function reportStep({ shown }: OrderPage): Html {
  if (shown?.kind !== 'report') {
    return html`
      <h1>Your credit check is complete</h1>
      <p>We cannot show it at this moment. Load this page again in a minute; nothing is lost.</p>`;
  }
  const { creditReport, coverage } = shown;
  // An empty list would read as a clean file.
  if (coverage.status === 'not-traced') return NOT_FOUND;
  const { records } = creditReport.consumerData;
  const accounts = records.map(
    ({ companyName, accountType, accountStatus, payment, balance }) => html`
        <li>
          <strong>${companyName ?? 'Lender not named'}</strong>
          <span>${accountType.replaceAll('-', ' ')}, ${accountStatus.replaceAll('-', ' ')}</span>
          <span class="hint">Balance ${money(balance)}</span>
          <span class="hint">Payment ${money(payment)}</span>
        </li>`,
  );
  const partly = html`<p class="notice">Not every bureau could tell us something, so accounts may be missing.</p>`;
  return html`
      <h1>Your credit check is complete</h1>
      <p>Thank you, ${creditReport.person.firstName}. We will write to you with our offer.</p>
      ${coverage.status === 'partly-traced' ? partly : undefined}
      <h2>What the bureaus told us</h2>
      ${records.length > 0 ? html`<ul class="accounts">${accounts}</ul>` : html`<p>Your file has no accounts.</p>`}`;
}

const AGAIN = (id: string) => html`
      <form method="post" action="/orders/${id}/again"><button type="submit">Try again</button></form>`;

/** Every status has a page: one without does not compile. */
const STEPS: Readonly<Record<Status, (page: OrderPage) => Html>> = {
  asking: ({ order }) => html`
      <h1>We are checking</h1>
      <p>This takes up to half a minute. If nothing happens, ask again: it is still one check.</p>${AGAIN(order.id)}`,
  'try-later': ({ order }) => html`
      <h1>We could not check just now</h1>
      <p>This is not about you or your details. We keep them for now, and delete them within a day. Try again in a few
        minutes: it is still one check.</p>${AGAIN(order.id)}${OTHER_WAY}`,
  lapsed: () => html`
      <h1>Please start again</h1>
      <p>We could not finish the check within a day, so we have deleted your details.</p>${START_AGAIN}${OTHER_WAY}`,
  'code-needed': codeStep,
  complete: reportStep,
  'not-found': () => NOT_FOUND,
  blocked: () => html`
      <h1>We cannot continue online</h1>
      <p>We cannot offer this purchase on the web.</p>${OTHER_WAY}`,
  failed: () => html`
      <h1>The check could not be finished</h1>
      <p>You can start again. Please look at your mobile number first: we may send a code to it.</p>
      ${START_AGAIN}${OTHER_WAY}`,
  expired: () => html`
      <h1>The code has expired</h1>
      <p>No right code came within five minutes. Start again to get a new one.</p>${START_AGAIN}${OTHER_WAY}`,
};

const TITLES: Readonly<Record<Status, string>> = {
  asking: 'Checking',
  'try-later': 'Not just now',
  lapsed: 'Start again',
  'code-needed': 'Type the code',
  complete: 'Credit check complete',
  'not-found': 'Not found',
  blocked: 'Not online',
  failed: 'Not finished',
  expired: 'Code expired',
};

export function orderPage(page: OrderPage): string {
  const { order, status, isTest } = page;
  const body = html`<section class="card" data-watch="/orders/${order.id}/status" data-now="${status}">${STEPS[status](page)}
      <p class="hint">Your order: ${order.id.slice(0, 8)}</p></section>`;
  return layout({ title: TITLES[status], body, head: html`<script defer src="/watch.js"></script>`, isTest });
}
