// The state table (docs/decisions/0050-when-the-report-is-charged.md) over HTTP against the simulators: reports that are
// complete, what a code opens afterwards, and what all of it costs.
import { describe, expect, test } from 'vitest';
import {
  challenge,
  codeOf,
  generate,
  messages,
  NOTHING,
  resend,
  sendsOf,
  story,
  submit,
} from '../../support/challenges.ts';
import type { InboxMessage, LiveServer } from '../../support/live.ts';
import { useLiveServer } from '../../support/one-node.ts';
import { askedTimes, spoil } from '../../support/providers.ts';
import { addTenant, refusalOf, type Story, storyOf } from '../../support/tenant.ts';
import { codeIn, FUNDS, newName, P, quietMobile, S, wrongCode } from '../../support/words.ts';

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});

describe.concurrent('pending → complete', () => {
  const complete: Story = {
    ...NOTHING,
    balance: FUNDS - P,
    reports: ['complete'],
    holds: ['report 2000 captured 2000', 'sms 40 voided'],
    lines: ['report-charge -2000 8000'],
    events: ['report.completed report 1', 'wallet.charged report 1'],
    audit: ['report.completed by caller report 1'],
  };

  test('200 complete: P charged, S given back, each bureau asked once', async () => {
    const tenant = await addTenant(server, FUNDS);
    const { data, cost } = await generate(server, tenant, { mobileNumber: quietMobile() });
    expect(data).toMatchObject({ status: 'complete', challengeType: 'none' });
    expect(cost).toBe(P);
    expect(await storyOf(server, tenant)).toEqual(complete);
    expect(await askedTimes(server, data.creditReportId)).toEqual([1, 1, 1]);
    expect((await server.enquiries('screening')).get(data.creditReportId)).toBe(1);
  });

  test('200 complete: a no-trace is an answer and is charged', async () => {
    const tenant = await addTenant(server, FUNDS);
    const { data, cost } = await generate(server, tenant);
    expect(data).toMatchObject({
      bureauResults: [
        { bureau: 'equifax', outcome: 'no-trace' },
        { bureau: 'experian', outcome: 'no-trace' },
        { bureau: 'transunion', outcome: 'no-trace' },
      ],
    });
    expect(cost).toBe(P);
    expect(await storyOf(server, tenant)).toEqual({ ...complete, holds: ['report 2000 captured 2000'] });
  });

  test('200 complete: a person of the bureaus’ own, three files in one report', async () => {
    const tenant = await addTenant(server, FUNDS);
    const response = await fetch(`${server.providers.addresses.albion}/people?count=1`);
    const { people } = (await response.json()) as {
      people: {
        firstName: string;
        lastName: string;
        dateOfBirth: string;
        addresses: Record<string, string | null>[];
      }[];
    };
    const [person] = people;
    if (!person) throw new Error('the bureaus know nobody');
    const [address] = person.addresses;
    const { postcode = '', townOrCity = '', buildingNumber, thoroughfare } = address ?? {};
    const ukAddress = {
      postcode: postcode ?? '',
      townOrCity: townOrCity ?? '',
      ...(buildingNumber && { buildingNumber }),
      ...(thoroughfare && { thoroughfare }),
    };
    const { firstName, lastName, dateOfBirth } = person;
    const { data, cost } = await generate(server, tenant, {
      firstName,
      lastName,
      dateOfBirth,
      addresses: [{ type: 'current', ukAddress }],
    });
    if (data.status !== 'complete') throw new Error(JSON.stringify(data));
    expect(data.bureauResults?.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
    expect(data.creditReport.consumerData.records.length).toBeGreaterThan(0);
    expect(cost).toBe(P);
  });

  const partial = [
    [['albion'], 1_400, ['unavailable', 'no-trace', 'no-trace']],
    [['albion', 'cygnet'], 800, ['unavailable', 'no-trace', 'unavailable']],
  ] as const;
  for (const [parts, price, outcomes] of partial) {
    test(`200 complete: ${parts.length} of 3 unavailable, ${price} charged and the rest given back`, async () => {
      const tenant = await addTenant(server, FUNDS);
      const lastName = newName();
      await spoil(server, lastName, 'reset', parts);
      const { data, cost } = await generate(server, tenant, { lastName });
      expect(data).toMatchObject({ status: 'complete' });
      if (data.status !== 'complete') return;
      expect(data.bureauResults?.map(({ outcome }) => outcome)).toEqual(outcomes);
      expect(cost).toBe(price);
      expect(await storyOf(server, tenant)).toEqual({
        ...complete,
        balance: FUNDS - price,
        holds: [`report 2000 captured ${price}`],
        lines: [`report-charge -${price} ${FUNDS - price}`],
      });
    });
  }
});

describe.concurrent('after complete', () => {
  test('the completing code gives the report again for ten minutes, cost 0; then 409', async () => {
    const open = await challenge(server);
    await resend(open);
    const [first = '', second = ''] = (await messages(server, open.to, 2)).map(codeIn);
    await sendsOf(server, open);
    const done = await submit(open, second);
    const end = await story(server, open);
    expect(end.holds).toEqual(['report 2000 captured 2000', 'sms 40 open', 'sms 40 captured 40']);
    const again = await submit(open, second);
    expect(again.data).toEqual(done.data);
    expect(again.meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
    // The other message's code was right a moment ago, and is another code now.
    expect(await refusalOf(submit(open, first))).toEqual({ status: 409, code: 'challenge-closed' });
    await server.query(
      `update challenges set completed_at = completed_at - interval '599 seconds' where credit_report_id = $1`,
      [open.creditReportId],
    );
    expect((await submit(open, second)).data).toEqual(done.data);
    await server.query(
      `update challenges set completed_at = completed_at - interval '2 seconds' where credit_report_id = $1`,
      [open.creditReportId],
    );
    expect(await refusalOf(submit(open, second))).toEqual({ status: 409, code: 'challenge-closed' });
    expect(await refusalOf(resend(open))).toEqual({ status: 409, code: 'challenge-closed' });
    expect(await story(server, open)).toEqual(end);
    expect(await askedTimes(server, open.creditReportId)).toEqual([1, 1, 1]);
  });

  test('three other codes end the replay for good', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await submit(open, code);
    for (let count = 0; count < 3; count += 1) {
      expect(await refusalOf(submit(open, wrongCode(code)))).toMatchObject({ status: 409 });
    }
    expect(await refusalOf(submit(open, code))).toEqual({ status: 409, code: 'challenge-closed' });
  });
});

describe.concurrent('prices', () => {
  test('a price that changes while a challenge is open changes neither its refund nor its message', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await sendsOf(server, open);
    await server.query(
      `insert into tenant_prices values ($1, 'report', '2001-01-01Z', 9), ($1, 'bureau', '2001-01-01Z', 99), ($1, 'sms', '2001-01-01Z', 3)`,
      [open.tenant.tenantId],
    );
    await spoil(server, open.lastName, 'reset', ['albion']);
    const { meta } = await submit(open, code);
    expect(meta.wallet.balance).toBe(FUNDS - P - S + 600);
  });

  test('free of charge is a price: everything works and leaves lines of zero', async () => {
    const tenant = await addTenant(server, 0);
    await server.query(
      `insert into tenant_prices values ($1, 'report', '2001-01-01Z', 0), ($1, 'bureau', '2001-01-01Z', 0), ($1, 'sms', '2001-01-01Z', 0)`,
      [tenant.tenantId],
    );
    const lastName = newName();
    const to = quietMobile();
    const { data, cost } = await generate(server, tenant, {
      email: 'challenge@example.com',
      mobileNumber: to,
      lastName,
    });
    if (data.status !== 'authentication-required') throw new Error(JSON.stringify(data));
    expect(cost).toBe(0);
    await spoil(server, lastName, 'reset', ['albion']);
    const { creditReportId, challenge: asked } = data;
    const done = await submit(
      { tenant, creditReportId, challengeId: asked.challengeId },
      codeIn((await messages(server, to))[0] as InboxMessage),
    );
    expect(done.data.status).toBe('complete');
    const { lines, held, balance } = await storyOf(server, tenant);
    // Nothing was charged for the bureau that did not answer, so there is nothing to give back.
    expect({ lines, held, balance }).toEqual({ lines: ['report-charge 0 0', 'sms-charge 0 0'], held: 0, balance: 0 });
  });
});
