// For the shop's own people: every order, what it cost, and what Trefoil told about it. Nothing here is for consumers.
import type { Order, ReceivedEvent, Refusals, Status } from '../store.ts';
import { moneyOf } from '../webhook.ts';
import { credits, html, layout } from './html.ts';

/** On a phone a type may go on in the next line after its point. */
const BREAK = html`.<wbr>`;
const clock = (instant: string) => instant.slice(0, 19).replace('T', ' ');

export type OrderLine = { readonly order: Order; readonly status: Status; readonly events: readonly ReceivedEvent[] };
type Received = { readonly events: number; readonly repeated: number; readonly refusals: readonly Refusals[] };

export function staffPage(lines: readonly OrderLine[], received: Received, isTest: boolean): string {
  const refused = received.refusals.map(
    ({ mistake, times, lastAt }) => html`
          <li>${times} refused: ${mistake}, last at ${clock(lastAt)} UTC</li>`,
  );
  const rows = lines.map(({ order, status, events }) => {
    const { charged, refunded } = moneyOf(events);
    return html`
            <tr>
              <th scope="row"><a href="/staff/orders/${order.id}">${order.id.slice(0, 8)}</a></th>
              <td>${clock(order.createdAt)}</td>
              <td>${status}</td>
              <td class="amount">${(charged - refunded).toLocaleString('en-GB')}</td>
            </tr>`;
  });
  const body = html`
      <section class="card wide">
        <h1>Orders</h1>
        <p>Webhooks: ${received.events} events, ${received.repeated} repeated deliveries.</p>
        ${refused.length > 0 ? html`<ul>${refused}</ul>` : undefined}
        <div class="table" role="region" aria-label="Orders" tabindex="0">
          <table>
            <thead><tr><th scope="col">Order</th><th scope="col">Made (UTC)</th><th scope="col">Status</th>
              <th scope="col" class="amount">Credits</th></tr></thead>
            <tbody>${rows}</tbody>
          </table>
        </div>
      </section>`;
  return layout({ title: 'Orders', body, isTest });
}

export function staffOrderPage({ order, status, events }: OrderLine, version: string, isTest: boolean): string {
  const { charged, refunded } = moneyOf(events);
  const rows = events.map(
    ({ event, deliveries }) => html`
            <tr${event.type === 'wallet.refunded' ? html` class="good"` : undefined}>
              <td>${event.createdAt.slice(11, 19)}</td>
              <th scope="row">${event.type.split('.').map((part, at) => html`${at > 0 ? BREAK : undefined}${part}`)}</th>
              <td class="amount">${event.data.amount === undefined ? '' : event.data.amount.toLocaleString('en-GB')}</td>
              <td class="amount">${deliveries}</td>
            </tr>`,
  );
  const refund = html`<p class="notice good" id="refund">Refunded: ${credits(refunded)}</p>`;
  const body = html`
      <section class="card wide" data-watch="/staff/orders/${order.id}/version" data-now="${version}">
        <h1>Order ${order.id.slice(0, 8)}</h1>
        ${refunded > 0 ? refund : undefined}
        <dl>
          <dt>Made (UTC)</dt><dd>${clock(order.createdAt)}</dd>
          <dt>Status</dt><dd id="status">${status}</dd>
          <dt>Note</dt><dd>${order.note || 'none'}</dd>
          <dt>Credit report</dt><dd>${order.creditReportId ?? 'none yet'}</dd>
          <dt>Charged</dt><dd>${credits(charged)}</dd>
          <dt>This order cost</dt><dd id="cost">${credits(charged - refunded)}</dd>
        </dl>
        <h2>Events</h2>
        <div class="table" role="region" aria-label="Events" tabindex="0">
          <table>
            <thead><tr><th scope="col">Time</th><th scope="col">What</th><th scope="col" class="amount">Credits</th>
              <th scope="col" class="amount">Times</th></tr></thead>
            <tbody>${rows}</tbody>
          </table>
        </div>
        <p><a href="/staff/orders">All orders</a></p>
      </section>`;
  const head = html`<script defer src="/watch.js"></script>`;
  return layout({ title: `Order ${order.id.slice(0, 8)}`, body, head, isTest });
}
