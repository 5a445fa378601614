// Receipts in every order, number and disguise: against the rule, and through HTTP and PostgreSQL, signed as Twilio signs.
// Repeat a failure with the seed it names: TREFOIL_TEST_SEED=… npx vitest run --project journeys server/test/money/receipts.test.ts
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { applyProof, type Proof, type SendState } from '../../src/credit-reports/rules/receipt.ts';
import { newId } from '../../src/lib/ids.ts';
import { openLedger } from '../../src/wallet/open-ledger.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { printState } from '../support/dump.ts';
import { grave } from '../support/grave.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { SEED } from '../support/seed.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';
import { type Reply, send } from '../support/wire.ts';
import { S } from '../support/words.ts';

const PERMUTATIONS = 100_000;
const SENDS = 1_000;
const FORGERIES = 1_000;
const WORKERS = 16;

/**
 * A send in the words of the state table, decided by the whole list at once and not step by step: it is delivered if any
 * proof says so; if none does, the first ending holds. Its credits: captured if delivered came first, given back if an
 * ending came first, and charged late if delivered came after that.
 */
function model(proofs: readonly Proof[], isOver: boolean): { isDelivered: boolean; money: string[]; ending?: Proof } {
  const endings: readonly Proof[] = ['undelivered', 'refused', 'silent'];
  const firstEnding = proofs.findIndex((proof) => endings.includes(proof));
  const firstDelivered = proofs.indexOf('delivered');
  const isDelivered = firstDelivered >= 0;
  const isVoidedFirst = !isOver && firstEnding >= 0 && (!isDelivered || firstEnding < firstDelivered);
  const money = isVoidedFirst ? ['void'] : [];
  if (isDelivered) money.push(isOver || isVoidedFirst ? 'charge-late' : 'capture');
  const ending = proofs[firstEnding];
  return { isDelivered, money, ...(ending !== undefined && { ending }) };
}

const anyState = fc.constantFrom<SendState>('queued', 'submitted', 'undelivered', 'refused', 'silent');
const anyProofs = fc.array(fc.constantFrom<Proof>('sent', 'delivered', 'undelivered', 'refused', 'silent'), {
  maxLength: 10,
});
const isOverAlready = (state: SendState) => state !== 'queued' && state !== 'submitted';

test(`${PERMUTATIONS} permutations of proofs: the rule does what the table says, whatever the order`, () => {
  let delivered = 0;
  fc.assert(
    fc.property(anyState, anyProofs, (start, proofs) => {
      const money: string[] = [];
      let state = start;
      for (const proof of proofs) {
        const effect = applyProof(state, proof);
        state = effect.state;
        if (effect.money !== 'none') money.push(effect.money);
      }
      const expected = model(proofs, isOverAlready(start));
      if (expected.isDelivered) delivered += 1;
      const undelivered = isOverAlready(start) ? start : (expected.ending ?? start);
      if (state !== (expected.isDelivered ? 'delivered' : undelivered)) throw new Error(`ended ${state}`);
      if (money.join() !== expected.money.join()) throw new Error(`${money.join()} and not ${expected.money.join()}`);
    }),
    { numRuns: PERMUTATIONS, seed: SEED },
  );
  // Neither always nor never: otherwise the permutations prove little.
  expect(delivered).toBeGreaterThan(PERMUTATIONS / 3);
  expect(delivered).toBeLessThan((PERMUTATIONS * 9) / 10);
});

let server: LiveServer;
let tenant: OwnTenant;
let account: { accountSid: string; authToken: string };
type Challenged = { readonly creditReportId: string; readonly challengeId: string };
let challenged: Challenged;

async function challenge({ trefoil }: OwnTenant, mobileNumber: string): Promise<Challenged> {
  const { data } = await trefoil.generate(
    liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber }),
  );
  if (data.status !== 'authentication-required') throw new Error(JSON.stringify(data));
  await server.code(mobileNumber);
  return { creditReportId: data.creditReportId, challengeId: data.challenge.challengeId };
}

beforeAll(async () => {
  // Without jobs: what is compared before and after must be changed by receipts alone.
  // Each receipt comes from an address of its own: what is refused is limited by address (attacks/many-parameters.test.ts).
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off', TREFOIL_TRUSTED_PROXIES: '127.0.0.1' } });
  account = JSON.parse(server.environment['TREFOIL_SMS'] ?? '{}');
  tenant = await addTenant(server, 10_000_000);
  challenged = await challenge(tenant, '+447700900301');
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

/** Base64 of HMAC-SHA1 over the address and every field's name and value in the order of names. */
function sign(
  url: string,
  fields: Readonly<Record<string, string>>,
  token = account.authToken,
  base = server.baseUrl,
): string {
  const content = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}${fields[name]}`)
    .join('');
  return createHmac('sha1', token).update(`${base}${url}${content}`).digest('base64');
}

type Receipt = {
  readonly url: string;
  readonly fields: Record<string, string>;
  readonly signature: string | undefined;
};

type Target = { readonly id: string; readonly carrierRef: string };
const newRef = () => `SM${randomBytes(16).toString('hex')}`;

function receiptOf({ id, carrierRef }: Target, status: string, tenantId = tenant.tenantId): Receipt {
  const url = `/v1/carriers/twilio/receipts?tenant=${tenantId}&send=${id}`;
  const fields = {
    MessageSid: carrierRef,
    SmsSid: carrierRef,
    MessageStatus: status,
    SmsStatus: status,
    AccountSid: account.accountSid,
    From: '+447700900999',
    To: '+447700900301',
    ApiVersion: '2010-04-01',
  };
  return { url, fields, signature: sign(url, fields) };
}

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
}

function deliver(
  { url, fields, signature }: Receipt,
  contentType = 'application/x-www-form-urlencoded',
): Promise<Reply> {
  return send(server.baseUrl, {
    method: 'POST',
    path: url,
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': contentType,
      'x-forwarded-for': newAddress(),
      ...(signature !== undefined && { 'x-twilio-signature': signature }),
    },
  });
}

/** Many at once, but no more than so many. */
async function eachInParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
    }),
  );
}

/** Sends as the service would have left them, with their holds taken and given back in the books. */
async function addSends(
  states: readonly SendState[],
  hasRef: (place: number) => boolean,
  { tenantId, creditReportId, challengeId } = { ...tenant, ...challenged },
): Promise<Target[]> {
  const added = states.map((state, place) => ({ id: newId(), carrierRef: newRef(), state, place }));
  const keyOf = ({ id }: Target) => ({ tenantId, kind: 'sms' as const, sourceId: id });
  await server.database.forTenants([tenantId], async (tx) => {
    const ledger = await openLedger(tx, { tenantIds: [tenantId] });
    for (const each of added) ledger.hold({ ...keyOf(each), amount: S, perBureau: null, lifetimeMs: 72 * 3_600_000 });
    await ledger.write();
  });
  const over = added.filter(({ state }) => isOverAlready(state));
  await server.database.forTenants([tenantId], async (tx) => {
    const ledger = await openLedger(tx, { tenantIds: [tenantId], holds: over.map(keyOf) });
    for (const each of over) expect(ledger.void(keyOf(each))).toBe(true);
    await ledger.write();
  });
  await server.query(
    `insert into sms_sends (tenant_id, id, credit_report_id, challenge_id, state, carrier_ref)
     select $1, id, $2, $3, state, carrier_ref from unnest($4::uuid[], $5::text[], $6::text[]) as t (id, state, carrier_ref)`,
    [
      tenantId,
      creditReportId,
      challengeId,
      added.map(({ id }) => id),
      added.map(({ state }) => state),
      added.map(({ carrierRef, place }) => (hasRef(place) ? carrierRef : null)),
    ],
  );
  return added;
}

/** What the carrier may say, and what each of its words proves. */
const WORDS: Readonly<Record<string, Proof | undefined>> = {
  queued: undefined,
  sending: undefined,
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'undelivered',
  canceled: 'undelivered',
};
// Kept apart from its words, so that a list without a delivery is not rare.
const anyWords = fc.array(
  fc.constantFrom('queued', 'sending', 'sent', 'sent', 'undelivered', 'failed', 'canceled', 'delivered', 'read'),
  {
    minLength: 1,
    maxLength: 6,
  },
);

test(`${SENDS} sends and their receipts over HTTP, one after another or all at once: one charge if delivered, else none`, async () => {
  const plans = fc.sample(fc.record({ start: anyState, words: anyWords, isAtOnce: fc.boolean() }), {
    numRuns: SENDS,
    seed: SEED,
  });
  const targets = await addSends(
    plans.map(({ start }) => start),
    (place) => place % 2 === 0,
  );
  const before = await server.wallet(tenant.tenantId);
  const statuses = new Map<number, number>();
  await eachInParallel(
    plans.map((plan, place) => ({ ...plan, target: targets[place] as Target })),
    async ({ words, isAtOnce, target }) => {
      const told: Reply[] = [];
      if (isAtOnce) told.push(...(await Promise.all(words.map((word) => deliver(receiptOf(target, word))))));
      else for (const word of words) told.push(await deliver(receiptOf(target, word)));
      for (const { status } of told) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
  );
  expect([...statuses.keys()], `seed ${SEED}`).toEqual([204]);
  await server.receiptsApplied();

  const rows = await server.query<{ id: string; charges: number; amount: string }>(
    `select source_id as id, count(*)::int as charges, min(amount) as amount
       from ledger_txs join ledger_entries using (tenant_id, seq)
      where source_id = any ($1) and account = 'wallet' group by 1`,
    [targets.map(({ id }) => id)],
  );
  const charged = new Map(rows.map((row) => [row.id, row]));
  const all = await server.query<{ id: string; state: SendState; hold: string }>(
    `select sms_sends.id, sms_sends.state, holds.state as hold from sms_sends join holds on source_id = sms_sends.id
      where sms_sends.id = any ($1)`,
    [targets.map(({ id }) => id)],
  );
  const found = new Map(all.map((row) => [row.id, row]));
  let deliveredCount = 0;
  await grave('the charge of a message', () =>
    plans.forEach(({ start, words, isAtOnce }, place) => {
      const { id } = targets[place] as Target;
      const proofs = words.flatMap((word) => WORDS[word] ?? []);
      const expected = model(proofs, isOverAlready(start));
      const story = `seed ${SEED}, ${start}: ${words.join(' ')}${isAtOnce ? ' at once' : ''}`;
      if (expected.isDelivered) deliveredCount += 1;
      expect(charged.get(id)?.charges ?? 0, story).toBe(expected.isDelivered ? 1 : 0);
      if (expected.isDelivered) expect(Number(charged.get(id)?.amount), story).toBe(-S);
      expect(found.get(id)?.state, story).toBe(
        expected.isDelivered ? 'delivered' : isOverAlready(start) ? start : (expected.ending ?? start),
      );
      // All at once there is no first: only what the order does not decide is compared.
      if (isAtOnce) return;
      const isCaptured = expected.money.includes('capture');
      const isVoided = isOverAlready(start) || expected.money.includes('void');
      expect(found.get(id)?.hold, story).toBe(isCaptured ? 'captured' : isVoided ? 'voided' : 'open');
    }),
  );
  const after = await server.wallet(tenant.tenantId);
  await grave('what the messages cost', () => expect(after.balance).toBe(before.balance - deliveredCount * S));
  expect(deliveredCount).toBeGreaterThan(SENDS / 4);
  expect(deliveredCount).toBeLessThan(SENDS);
}, 60_000);

test(`${FORGERIES} forged, crossed, altered and repeated receipts: not one row changes`, async () => {
  const targets = await addSends(
    Array.from({ length: 40 }, (_, index) => (index < 30 ? 'submitted' : 'undelivered')),
    () => true,
  );
  const other = await addTenant(server, 1_000);
  // Ten have had their word, which is then repeated.
  const settled = targets.slice(0, 10);
  for (const target of settled) expect((await deliver(receiptOf(target, 'delivered'))).status).toBe(204);
  await server.receiptsApplied();
  const untouched = targets.slice(10, 30);

  const random = (items: readonly Target[], place: number) => items[place % items.length] as Target;
  type Forgery = (place: number) => { receipt: Receipt; status: number; contentType?: string };
  const altered = (place: number, change: (receipt: Receipt) => Partial<Receipt>): Receipt => {
    const receipt = receiptOf(random(untouched, place), 'delivered');
    return { ...receipt, ...change(receipt) };
  };
  const crossed = (url: string, fields: Record<string, string>): Receipt => ({
    url,
    fields,
    signature: sign(url, fields),
  });
  const forgeries: Record<string, Forgery> = {
    'no signature': (place) => ({ receipt: altered(place, () => ({ signature: undefined })), status: 403 }),
    'an empty signature': (place) => ({ receipt: altered(place, () => ({ signature: '' })), status: 403 }),
    'random bytes': (place) => ({
      receipt: altered(place, () => ({ signature: randomBytes(20).toString('base64') })),
      status: 403,
    }),
    'another token': (place) => ({
      receipt: altered(place, ({ url, fields }) => ({
        signature: sign(url, fields, `${account.authToken.slice(0, -1)}x`),
      })),
      status: 403,
    }),
    'an empty token': (place) => ({
      receipt: altered(place, ({ url, fields }) => ({ signature: sign(url, fields, '') })),
      status: 403,
    }),
    'the account’s name as token': (place) => ({
      receipt: altered(place, ({ url, fields }) => ({ signature: sign(url, fields, account.accountSid) })),
      status: 403,
    }),
    'another origin': (place) => ({
      receipt: altered(place, ({ url, fields }) => ({
        signature: sign(url, fields, undefined, 'https://api.example.com'),
      })),
      status: 403,
    }),
    'the signature cut short': (place) => ({
      receipt: altered(place, ({ signature }) => ({ signature: signature?.replace(/=$/, '') })),
      status: 403,
    }),
    'the signature in other letters': (place) => ({
      receipt: altered(place, ({ signature }) => ({
        signature: `${signature?.slice(0, -2)}${signature?.at(-2) === 'A' ? 'B' : 'A'}=`,
      })),
      status: 403,
    }),
    'another state under the same signature': (place) => ({
      receipt: altered(place, ({ fields }) => ({ fields: { ...fields, MessageStatus: 'undelivered' } })),
      status: 403,
    }),
    'another message under the same signature': (place) => ({
      receipt: altered(place, ({ fields }) => ({ fields: { ...fields, MessageSid: newRef() } })),
      status: 403,
    }),
    'one field more': (place) => ({
      receipt: altered(place, ({ fields }) => ({ fields: { ...fields, Extra: 'x' } })),
      status: 403,
    }),
    'another send in the address': (place) => ({
      receipt: altered(place, ({ url }) => ({
        url: url.replace(/send=.*/, `send=${random(untouched, place + 1).id}`),
      })),
      status: 403,
    }),
    'another tenant in the address': (place) => ({
      receipt: altered(place, ({ url }) => ({ url: url.replace(tenant.tenantId, other.tenantId) })),
      status: 403,
    }),
    'one parameter more in the address': (place) => ({
      receipt: altered(place, ({ url }) => ({ url: `${url}&send=${random(untouched, place + 1).id}` })),
      status: 403,
    }),
    'signed for another account': (place) => {
      const { url, fields } = receiptOf(random(untouched, place), 'delivered');
      return { receipt: crossed(url, { ...fields, AccountSid: `AC${'0'.repeat(32)}` }), status: 403 };
    },
    'signed, but of another tenant’s wallet': (place) => ({
      receipt: receiptOf(random(untouched, place), 'delivered', other.tenantId),
      status: 204,
    }),
    'signed, but of no tenant': (place) => ({
      receipt: receiptOf(random(untouched, place), 'delivered', newId()),
      status: 204,
    }),
    'signed, but of no send': () => ({
      receipt: receiptOf({ id: newId(), carrierRef: newRef() }, 'delivered'),
      status: 204,
    }),
    'signed, but the carrier’s reference is of another message': (place) => ({
      receipt: receiptOf(
        { ...random(untouched, place), carrierRef: random(untouched, place + 1).carrierRef },
        'delivered',
      ),
      status: 204,
    }),
    'signed, but the reference is new': (place) => ({
      receipt: receiptOf({ ...random(untouched, place), carrierRef: newRef() }, 'undelivered'),
      status: 204,
    }),
    'signed, of a state nobody knows': (place) => ({
      receipt: receiptOf(random(untouched, place), 'teleported'),
      status: 400,
    }),
    'signed, with a reference of no form': (place) => ({
      receipt: receiptOf({ ...random(untouched, place), carrierRef: "SM'; drop table sms_sends; --" }, 'delivered'),
      status: 400,
    }),
    'signed, with a send that is no id': () => ({
      receipt: receiptOf({ id: 'not-an-id', carrierRef: newRef() }, 'delivered'),
      status: 400,
    }),
    'signed, of progress alone': (place) => ({ receipt: receiptOf(random(untouched, place), 'sending'), status: 204 }),
    'repeated: delivered': (place) => ({ receipt: receiptOf(random(settled, place), 'delivered'), status: 204 }),
    'as JSON': (place) => ({
      receipt: receiptOf(random(untouched, place), 'delivered'),
      status: 400,
      contentType: 'application/json',
    }),
  };
  const kinds = Object.entries(forgeries);
  const before = await printState(server);
  const wrong: string[] = [];
  await eachInParallel(
    Array.from({ length: FORGERIES }, (_, place) => place),
    async (place) => {
      const [name, forge] = kinds[place % kinds.length] ?? [];
      if (!forge) return;
      const { receipt, status, contentType } = forge(Math.trunc(place / kinds.length));
      const reply = await deliver(receipt, contentType);
      if (reply.status !== status) wrong.push(`${name}: ${reply.status} ${reply.text}`);
    },
  );
  expect(wrong).toEqual([]);
  expect(await printState(server)).toBe(before);
  // They were real targets: the same receipts, honestly signed, do change them.
  const target = untouched[0] as Target;
  expect((await deliver(receiptOf(target, 'delivered'))).status).toBe(204);
  await server.receiptsApplied();
  expect(await printState(server)).not.toBe(before);
  expect(await server.query('select state from sms_sends where id = $1', [target.id])).toEqual([
    { state: 'delivered' },
  ]);
}, 60_000);

test('404, 405, 413: no other carrier, no other method, nothing large', async () => {
  const target = { id: newId(), carrierRef: newRef() };
  const before = await printState(server);
  const receipt = receiptOf(target, 'delivered');
  const elsewhere = receipt.url.replace('twilio', 'nobody');
  expect((await deliver({ ...receipt, url: elsewhere })).status).toBe(404);
  expect((await send(server.baseUrl, { method: 'GET', path: receipt.url })).status).toBe(405);
  const huge = { ...receipt, fields: { ...receipt.fields, Body: 'x'.repeat(100_000) } };
  expect((await deliver(huge)).status).toBe(413);
  expect(await printState(server)).toBe(before);
});

test('receipts that wait for a locked wallet: another company’s are applied meanwhile, and they are when it is free', async () => {
  const other = await addTenant(server, 10_000);
  const others = { ...other, ...(await challenge(other, '+447700900302')) };
  // Three times as many as are applied together.
  const locked = await addSends(Array<SendState>(24).fill('submitted'), () => true);
  const free = await addSends(['submitted', 'submitted'], () => true, others);
  const before = [await server.wallet(tenant.tenantId), await server.wallet(other.tenantId)] as const;
  await server.database.forTenants([tenant.tenantId], async (tx) => {
    await tx.query('select from wallets where tenant_id = $1 for update', [tenant.tenantId]);
    for (const target of locked) expect((await deliver(receiptOf(target, 'delivered'))).status).toBe(204);
    for (const [index, target] of free.entries()) {
      expect((await deliver(receiptOf(target, 'delivered', other.tenantId))).status).toBe(204);
      const balance = before[1].balance - S * (index + 1);
      await eventually(async () => expect((await server.wallet(other.tenantId)).balance).toBe(balance));
    }
    expect((await server.wallet(tenant.tenantId)).balance).toBe(before[0].balance);
    // Of the locked wallet's only the first began: the others' did not wait for the rest.
    const metrics = await (await fetch(server.metricsAddress)).text();
    expect(Number(/^trefoil_queue_items (\d+)$/m.exec(metrics)?.[1])).toBeLessThanOrEqual(8);
  });
  await server.receiptsApplied();
  await grave('what the messages cost', async () =>
    expect((await server.wallet(tenant.tenantId)).balance).toBe(before[0].balance - 24 * S),
  );
}, 60_000);
