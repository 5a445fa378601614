// A company's own settings over HTTP: within what was agreed, with a second factor, recorded, and with what they change
// (docs/decisions/0232-settings-by-their-tenant.md).
import type { ChangeSettingsRequest, Settings } from '@trefoil/contract';
import { createTrefoil, TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSettings } from '../../src/tenants/change-settings.ts';
import { listSmsSettings } from '../../src/tenants/find-settings.ts';
import { startChallenge, startServer, type TestServer } from '../harness.ts';
import { addLiveReport } from '../support/money-states.ts';
import { addPerson, addTenantWithOwner, auditOf, callAs, type TestPerson } from '../support/people.ts';
import { readError } from '../support/wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const UNTOUCHED = {
  name: 'Test Claims',
  displayName: null,
  retentionDays: 30,
  smsCountries: null,
  smsDailyMessages: null,
  smsDailyCredits: null,
  smsMinuteMessages: null,
  otpHost: null,
  lowBalanceCredits: null,
  requireSecondFactor: true,
  agreed: { smsCountries: ['GB'], smsDailyMessages: 1_000, smsDailyCredits: 40_000, smsMinuteMessages: 60 },
};

type Company = { readonly tenantId: string; readonly owner: TestPerson };
const read = async ({ tenantId, owner }: Company) =>
  (await callAs(server, owner, 'GET', `/${tenantId}/v1/settings`)).data as unknown as Settings;
const patch = ({ tenantId, owner }: Company, body: object, query = '') =>
  callAs(server, owner, 'PATCH', `/${tenantId}/v1/settings${query}`, body);
const preview = async ({ tenantId, owner }: Company, query: string) =>
  (await callAs(server, owner, 'GET', `/${tenantId}/v1/settings/retention-preview${query}`)).data;
const agree = ({ tenantId }: Company, changes: Parameters<typeof changeSettings>[2]) =>
  server.database.asSystem((tx) => changeSettings(tx, tenantId, changes));
/** What the sending of messages applies. */
const applied = async ({ tenantId }: Company) => {
  const [settings] = await server.database.forTenants([tenantId], (tx) => listSmsSettings(tx, [tenantId]));
  return settings;
};

test('200: a new company has what was agreed and nothing of its own', async () => {
  const company = await addTenantWithOwner(server);
  expect(await read(company)).toEqual(UNTOUCHED);
});

test('200: every setting, alone and together, is stored, shown and written to the audit log once', async () => {
  const company = await addTenantWithOwner(server);
  await agree(company, { smsCountries: ['GB', 'IE'] });
  const wanted: ChangeSettingsRequest = {
    displayName: 'Larkfield',
    retentionDays: 60,
    smsCountries: ['IE'],
    smsDailyMessages: 10,
    smsDailyCredits: 400,
    smsMinuteMessages: 2,
    otpHost: 'claims.example.com',
    lowBalanceCredits: 5_000,
    requireSecondFactor: false,
  };
  const agreed = { ...UNTOUCHED.agreed, smsCountries: ['GB', 'IE'] };
  let expected: object = { ...UNTOUCHED, agreed };
  for (const [name, value] of Object.entries(wanted)) {
    expected = { ...expected, [name]: value };
    // The same again changes nothing.
    for (let time = 0; time < 2; time += 1) {
      expect(await patch(company, { [name]: value })).toMatchObject({ status: 200, data: expected });
    }
    expect(await read(company)).toEqual(expected);
  }
  const { owner, tenantId } = company;
  const row = { actor: owner.userId, action: 'settings.changed', subject: tenantId };
  expect(await auditOf(server, tenantId)).toEqual(
    Object.entries(wanted).map(([name, value]) => ({ ...row, details: { [name]: value } })),
  );
  const first: Record<string, unknown> = UNTOUCHED;
  const back = Object.fromEntries(Object.keys(wanted).map((name) => [name, first[name]]));
  expect(await patch(company, back)).toMatchObject({ status: 200, data: { ...UNTOUCHED, agreed } });
  expect(await read(company)).toEqual({ ...UNTOUCHED, agreed });
  expect((await auditOf(server, tenantId)).at(-1)).toEqual({ ...row, details: back });
});

test('200: unknown fields change nothing: neither the name nor what was agreed nor the screening', async () => {
  const company = await addTenantWithOwner(server);
  const before = await server.query('select * from tenants where id = $1', [company.tenantId]);
  const sly = { name: 'Bank', agreed: { smsDailyMessages: 9 }, isEnabled: false, screeningPolicy: 'house' };
  expect(await patch(company, sly)).toMatchObject({ status: 200, data: UNTOUCHED });
  expect(await server.query('select * from tenants where id = $1', [company.tenantId])).toEqual(before);
  expect(await auditOf(server, company.tenantId)).toEqual([]);
});

describe('400 validation-error', () => {
  const pathsOf = async (company: Company, body: object) => {
    const { status, reply } = await patch(company, body);
    expect(status).toBe(400);
    const { details } = readError(reply) as unknown as { details: { path: string; message: string }[] };
    return details.map(({ path }) => path);
  };
  const bodies: [object, string[]][] = [
    [{ retentionDays: 91 }, ['/retentionDays']],
    [{ retentionDays: -1 }, ['/retentionDays']],
    [{ retentionDays: null }, ['/retentionDays']],
    [{ retentionDays: '30' }, ['/retentionDays']],
    [{ displayName: '   ' }, ['/displayName']],
    [{ displayName: 'a\u0000b' }, ['/displayName']],
    [{ displayName: 'a\u202eb' }, ['/displayName']],
    [{ displayName: 'x'.repeat(101) }, ['/displayName']],
    [{ smsCountries: [] }, ['/smsCountries']],
    [{ smsCountries: ['gb'] }, ['/smsCountries']],
    [{ smsCountries: ['GB', 'GB'] }, ['/smsCountries']],
    [{ smsCountries: ['GB', 'XX', 'IE'] }, ['/smsCountries/1', '/smsCountries/2']],
    [
      { smsDailyMessages: 1_001, smsDailyCredits: 40_001, smsMinuteMessages: 61 },
      ['/smsDailyCredits', '/smsDailyMessages', '/smsMinuteMessages'],
    ],
    [{ smsDailyMessages: 1.5 }, ['/smsDailyMessages']],
    [{ smsDailyMessages: 1e300 }, ['/smsDailyMessages']],
    [{ otpHost: 'localhost' }, ['/otpHost']],
    [{ otpHost: 'claims.example.com\n@other.example #111111' }, ['/otpHost']],
    [{ lowBalanceCredits: 0 }, ['/lowBalanceCredits']],
    [{ requireSecondFactor: null }, ['/requireSecondFactor']],
    [{ retentionDays: 91, lowBalanceCredits: 0 }, ['/lowBalanceCredits', '/retentionDays']],
  ];
  test.each(bodies)('%j', async (body, paths) => {
    const company = await addTenantWithOwner(server);
    expect((await pathsOf(company, body)).toSorted()).toEqual(paths);
    expect(await read(company)).toEqual(UNTOUCHED);
    expect(await auditOf(server, company.tenantId)).toEqual([]);
  });

  test('an empty body says so', async () => {
    expect(await patch(await addTenantWithOwner(server), {})).toMatchObject({ status: 400, code: 'validation-error' });
  });
});

describe('retention', () => {
  async function withReports(): Promise<Company> {
    const company = await addTenantWithOwner(server);
    for (const days of [1, 5, 8, 20, 31]) {
      const id = await addLiveReport(server, company.tenantId, { status: 'complete' });
      await server.query(
        `update credit_reports set created_at = now() - make_interval(days => $2), settled_at = now() - make_interval(days => $2)
          where id = $1`,
        [id, days],
      );
    }
    return company;
  }

  test('200: a preview counts what could no longer be read, and nothing that cannot be read already', async () => {
    const company = await withReports();
    expect(await preview(company, '')).toEqual({
      retentionDays: 30,
      currentDays: 30,
      reports: 0,
      oldestSettledAt: null,
      newestSettledAt: null,
    });
    const counts = [];
    for (const days of [90, 30, 19, 7, 4, 0]) {
      counts.push((await preview(company, `?retentionDays=${days}`))['reports']);
    }
    expect(counts).toEqual([0, 0, 1, 2, 3, 4]);
    expect(await auditOf(server, company.tenantId)).toEqual([]);
  });

  test('409 conflict: a shorter one that erases reports waits for confirm=true, and says what it erases', async () => {
    const company = await withReports();
    const refused = await patch(company, { retentionDays: 7, lowBalanceCredits: 9 });
    expect(refused).toMatchObject({ status: 409, code: 'conflict' });
    const { wouldErase } = JSON.parse(refused.reply.text) as { wouldErase: Record<string, unknown> };
    expect(wouldErase).toEqual({
      reports: 2,
      oldestSettledAt: expect.stringMatching(/Z$/),
      newestSettledAt: expect.stringMatching(/Z$/),
    });
    expect(await read(company)).toEqual(UNTOUCHED);
    expect(await auditOf(server, company.tenantId)).toEqual([]);
    const done = await patch(company, { retentionDays: 7 }, '?confirm=true');
    expect(done).toMatchObject({ status: 200, data: { retentionDays: 7 } });
  });

  test('200: a longer one, and a shorter one that erases nothing, need no confirmation', async () => {
    const company = await withReports();
    for (const retentionDays of [60, 90, 35]) {
      expect(await patch(company, { retentionDays })).toMatchObject({ status: 200, data: { retentionDays } });
    }
  });

  test('400 comes before 409', async () => {
    const company = await withReports();
    expect(await patch(company, { retentionDays: 0, otpHost: 'x' })).toMatchObject({ status: 400 });
  });
});

describe('what a setting does', () => {
  test('the limits that hold are the lower ones, whichever side lowers them', async () => {
    const company = await addTenantWithOwner(server);
    await agree(company, { smsCountries: ['GB', 'IE', 'FR'], smsDailyMessages: 5_000, smsDailyCredits: 100_000 });
    await patch(company, {
      smsDailyMessages: 3_000,
      smsDailyCredits: 500,
      smsMinuteMessages: 5,
      smsCountries: ['IE', 'FR'],
    });
    expect(await applied(company)).toMatchObject({ dailyMessages: 3_000, dailyCredits: 500, minuteMessages: 5 });
    expect((await applied(company))?.countries.toSorted()).toEqual(['FR', 'IE']);
    // The operator returns to the defaults: the company's own larger number no longer counts.
    await agree(company, { smsDailyMessages: null, smsDailyCredits: null, smsCountries: ['GB', 'FR'] });
    expect(await applied(company)).toMatchObject({ dailyMessages: 1_000, dailyCredits: 500, countries: ['FR'] });
    await patch(company, {
      smsDailyMessages: null,
      smsDailyCredits: null,
      smsMinuteMessages: null,
      smsCountries: null,
    });
    expect(await applied(company)).toMatchObject({ dailyMessages: 1_000, dailyCredits: 40_000, minuteMessages: 60 });
    expect((await applied(company))?.countries).toEqual(['GB', 'FR']);
  });

  test('GET …/limits and the wallet show the own limit', async () => {
    const company = await addTenantWithOwner(server);
    await patch(company, { smsDailyMessages: 7 });
    const { tenantId, owner } = company;
    const { data } = await callAs(server, owner, 'GET', `/${tenantId}/v1/limits`);
    expect(data['items']).toContainEqual(expect.objectContaining({ name: 'sms-messages-day', max: 7 }));
    const wallet = await callAs(server, owner, 'GET', `/${tenantId}/v1/wallet`);
    expect(wallet.data['smsDay']).toMatchObject({ maxMessages: 7, maxCredits: 40_000 });
  });

  test('messages have the display name and the host; documents and lists keep the name', async () => {
    const company = await addTenantWithOwner(server);
    const { tenantId, owner } = company;
    await patch(company, { displayName: ' Larkfield ', otpHost: 'Claims.Example.com' });
    const trefoil = createTrefoil({ baseUrl: server.baseUrl, tenantId, getToken: async () => owner.token });
    await startChallenge(trefoil);
    const { items } = (await trefoil.listTestInbox()).data;
    expect(items[0]?.text).toBe(
      '123456 is your code for Larkfield. It is valid for 5 minutes. Do not share it with anyone.\n@claims.example.com #123456',
    );
    expect((await trefoil.listTenants()).items).toMatchObject([{ name: 'Test Claims' }]);
  });
});

describe('who', () => {
  test('owner and admin read and change; every other role does neither', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const people = { owner, admin: await addPerson(server, tenantId, 'admin') };
    for (const person of Object.values(people)) {
      expect((await callAs(server, person, 'GET', `/${tenantId}/v1/settings`)).status).toBe(200);
      expect((await callAs(server, person, 'PATCH', `/${tenantId}/v1/settings`, { retentionDays: 31 })).status).toBe(
        200,
      );
    }
    for (const role of ['finance', 'developer', 'analyst'] as const) {
      const person = await addPerson(server, tenantId, role);
      for (const path of ['settings', 'settings/retention-preview']) {
        expect(await callAs(server, person, 'GET', `/${tenantId}/v1/${path}`)).toMatchObject({ code: 'forbidden' });
      }
      const change = await callAs(server, person, 'PATCH', `/${tenantId}/v1/settings`, { retentionDays: 1 });
      expect(change).toMatchObject({ status: 403, code: 'forbidden' });
    }
  });

  test('403 forbidden: an admin turns the second factor on and not off; an owner turns it off', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const admin = await addPerson(server, tenantId, 'admin');
    const asAdmin = { tenantId, owner: admin };
    // With another field beside it: nothing of the request is done.
    const refused = await patch(asAdmin, { requireSecondFactor: false, lowBalanceCredits: 1 });
    expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await read(asAdmin)).toEqual(UNTOUCHED);
    // What is on already changes nothing for an admin.
    expect(await patch(asAdmin, { requireSecondFactor: true })).toMatchObject({ status: 200 });
    expect(await patch({ tenantId, owner }, { requireSecondFactor: false })).toMatchObject({
      data: { requireSecondFactor: false },
    });
    expect(await patch(asAdmin, { requireSecondFactor: true })).toMatchObject({ data: { requireSecondFactor: true } });
    // An owner who was one a moment ago: the row decides, not what the token was looked up with.
    await server.query(`update memberships set role = 'admin' where user_id = $1`, [owner.userId]);
    expect(await patch({ tenantId, owner }, { requireSecondFactor: false })).toMatchObject({ code: 'forbidden' });
  });

  test('403 step-up-required: an old second factor reads and does not change', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const owner = await addPerson(server, tenantId, 'owner', { secondFactorAgoMs: 601_000 });
    expect(await read({ tenantId, owner })).toEqual(UNTOUCHED);
    expect(await patch({ tenantId, owner }, { retentionDays: 31 })).toMatchObject({ code: 'step-up-required' });
    expect(await read({ tenantId, owner })).toEqual(UNTOUCHED);
  });

  test('the client library: reads, tries, changes, and throws 409 with what would be erased', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const id = await addLiveReport(server, tenantId, { status: 'complete' });
    await server.query(
      `update credit_reports set created_at = now() - interval '9 days', settled_at = now() - interval '9 days' where id = $1`,
      [id],
    );
    const trefoil = createTrefoil({ baseUrl: server.baseUrl, tenantId, getToken: async () => owner.token });
    expect((await trefoil.getSettings()).data).toEqual(UNTOUCHED);
    expect((await trefoil.previewRetention(7)).data.reports).toBe(1);
    const error = await trefoil.changeSettings({ retentionDays: 7 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TrefoilError);
    expect(error).toMatchObject({ status: 409, code: 'conflict' });
    expect((await trefoil.changeSettings({ retentionDays: 7 }, { confirm: true })).data.retentionDays).toBe(7);
  });
});

test('two changes at once: both fields are changed, and each is in the audit log', async () => {
  const company = await addTenantWithOwner(server);
  const changes = [{ retentionDays: 45 }, { otpHost: 'a.example.com' }, { lowBalanceCredits: 1 }, { displayName: 'B' }];
  const replies = await Promise.all(changes.map((change) => patch(company, change)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await read(company)).toEqual({ ...UNTOUCHED, ...Object.assign({}, ...changes) });
  expect(await auditOf(server, company.tenantId)).toHaveLength(4);
});

test('a change of the operator beside one of the company writes nothing old back', async () => {
  const company = await addTenantWithOwner(server);
  const lows = Array.from({ length: 20 }, (_, index) => index + 1);
  await Promise.all(
    lows.flatMap((lowBalanceCredits) => [
      patch(company, { lowBalanceCredits }),
      agree(company, { smsDailyMessages: 100 + lowBalanceCredits }),
    ]),
  );
  // The last change of the company stands: none of the operator's wrote an earlier one over it.
  const changes = await auditOf(server, company.tenantId);
  const ofCompany = changes.filter(({ action }) => action === 'settings.changed');
  expect(ofCompany).toHaveLength(20);
  const { lowBalanceCredits } = (ofCompany.at(-1)?.details ?? {}) as { lowBalanceCredits?: number };
  expect((await read(company)).lowBalanceCredits).toBe(lowBalanceCredits);
});
