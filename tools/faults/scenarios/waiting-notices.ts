// Ten thousand notices of one company wait for a mail server that takes its time. Links that people wait for, of other companies, are sent
// before them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run, Scenario } from '../scenario.ts';

const NOTICES = 10_000;
const LINKS = 5;
const LINK_MS_MAX = 5_000;
const PATIENCE_MS = 10_000;
const LOOK_MS = 50;
/** Of the mail simulator for each mail: ten go at once, so the notices wait for more than three minutes. */
const SLOW = JSON.stringify({ match: { any: true }, behaviour: 'slow=200' });
/** Of a kind whose text needs no facts. */
const FILL = `
  insert into mails (id, kind, subject_id, recipient, is_notice, turn)
  select gen_random_uuid(), 'password-changed', gen_random_uuid(), 'notice-' || number || '@bench.example.com', true, $1
    from generate_series(1, $2::int) as number`;
const COUNTS = `
  select (count(*) filter (where sent_at is not null))::int as sent, (count(*) filter (where sent_at is null))::int as waiting
    from mails where is_notice`;

async function countNotices({ query }: Run['stage']): Promise<{ sent: number; waiting: number }> {
  const [counts] = await query<{ sent: number; waiting: number }>(COUNTS);
  return counts ?? { sent: 0, waiting: 0 };
}

/** From the request to the arrival of its mail. */
async function timeLink({ config, providers }: Run['stage'], email: string): Promise<number> {
  const inbox = `${providers.addresses.mail}/inbox.json?to=${encodeURIComponent(email)}`;
  const startedMs = performance.now();
  const { status } = await fetch(`${config.baseUrl}/v1/auth/forgotten-password`, {
    method: 'POST',
    headers: { origin: config.baseUrl },
    body: new URLSearchParams({ email }),
  });
  if (status !== 200) throw new Error(`a link was asked for, and the answer was ${status}`);
  while (performance.now() - startedMs < PATIENCE_MS) {
    const { mails } = (await (await fetch(inbox)).json()) as { mails: unknown[] };
    if (mails.length > 0) break;
    await sleep(LOOK_MS);
  }
  return Math.round(performance.now() - startedMs);
}

export const waitingNotices: Scenario = {
  name: 'waiting-notices',
  promise: `a link for a forgotten password arrives within 5 s while ${NOTICES.toLocaleString('en')} notices of another company wait`,
  wish: {},
  seconds: 5,
  async play({ stage, tally, seconds }) {
    const { query, providers, tenants, hot } = stage;
    await fetch(`${providers.addresses.mail}/control`, { method: 'POST', body: SLOW });
    await query(FILL, [hot.tenantId, NOTICES]);
    await sleep(seconds * 1_000);
    const before = await countNotices(stage);
    const people = await query<{ email: string }>(
      `select email from users join memberships on user_id = users.id
        where tenant_id = any ($1::uuid[]) order by email limit ${LINKS}`,
      [tenants.map(({ tenantId }) => tenantId)],
    );
    const links: number[] = [];
    for (const { email } of people) links.push(await timeLink(stage, email));
    for (const ms of links) if (ms > LINK_MS_MAX) tally.find('a reset link arrives within 5 s', `after ${ms} ms`);
    const { sent, waiting } = await countNotices(stage);
    const wereSent = before.sent > 0 && sent > before.sent;
    if (links.length < LINKS || !wereSent || waiting < NOTICES / 2) {
      tally.find('notices wait while the links are sent', `${links.length} links; ${sent} sent, ${waiting} wait`);
    }
    return { links: `${links.join(', ')} ms, while ${waiting} of ${NOTICES} notices wait` };
  },
};
