// The test inbox: the messages that test challenges would have sent. Neither text nor code is stored: both follow from the
// rows, since the code of test mode is fixed (docs/decisions/0207-a-sandbox-that-can-fail.md).
import type { GenerateRequest, TestInboxPage, TestInboxQuery, TestMessage } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import { withKeys } from '../../lib/crypto/key-not-at-hand.ts';
import type { Vault } from '../../lib/crypto/vault.ts';
import { isUuid } from '../../lib/ids.ts';
import { createPace, type Pace } from '../../lib/limits/pace.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { walkInKeyOrder } from '../../lib/postgres/key-order.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { readCursor, writeCursor } from '../../lib/values/cursor.ts';
import { otpMessage } from '../../sms/message-text.ts';
import { listSmsSettings } from '../../tenants/find-settings.ts';
import { listTestLinesByKey } from '../../wallet/test-mode/read-test-wallet.ts';
import { SENDS_MAX } from '../rules/challenge.ts';
import { mayOpen } from '../rules/reader.ts';
import { maskNumber, stateOf } from './rules/test-message.ts';
import { TEST_CODE } from './sandbox.ts';
import { findNextWindow, type InboxPlace, listChallenged, listSentInTest, type SentInTest } from './sandbox-store.ts';
import { messageIdOf } from './test-events.ts';

type InboxDependencies = { readonly database: Database; readonly vault: Vault };
type Reader = Pick<Caller, 'tenantId' | 'role'>;

const PAGE_FALLBACK = 50;
/** Test reports scanned for one page: a tenant whose reports seldom have a challenge gets a short page and a cursor. */
const WINDOW = 10_000;
/** Requests opened per event-loop tick, for all readers of this node together. */
const OPENED_PER_TURN = 20;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The next message to show: a report, and the highest number of its messages not shown yet. */
type Position = { readonly id: string; readonly number: number };

const isPosition = (text: string) => isUuid(text.slice(0, -2)) && /^\.[1-3]$/.test(text.slice(-2));
const writePosition = ({ id, number }: Position) => writeCursor(`${id}.${number}`);

function readPosition(cursor: string | undefined): Position {
  if (cursor === undefined) return { id: HIGHEST_ID, number: SENDS_MAX };
  const text = readCursor(cursor, isPosition);
  return { id: text.slice(0, -2), number: Number(text.slice(-1)) };
}

type Found = {
  readonly sent: readonly SentInTest[];
  /** The first report that was not looked at. */
  readonly nextId: string | undefined;
  readonly tenant: { readonly name: string; readonly otpHost: string | null };
};

async function find(tx: Tx, tenantId: string, from: Position, query: TestInboxQuery, limit: number): Promise<Found> {
  const [tenant] = await listSmsSettings(tx, [tenantId]);
  if (!tenant) throw new Error('a tenant is gone');
  const { creditReportId } = query;
  if (creditReportId !== undefined) {
    const sent = creditReportId <= from.id ? await listSentInTest(tx, tenantId, [creditReportId]) : [];
    return { sent, nextId: undefined, tenant };
  }
  await walkInKeyOrder(tx);
  const place: InboxPlace = { fromId: from.id, window: WINDOW };
  const ids = (await listChallenged(tx, tenantId, place, limit + 1)).map(({ id }) => id);
  const nextId = ids.length > limit ? ids[limit] : await findNextWindow(tx, tenantId, place);
  const page = ids.slice(0, limit);
  const sent = page.length > 0 ? await listSentInTest(tx, tenantId, page) : [];
  return { sent: sent.toSorted((a, b) => (a.creditReportId < b.creditReportId ? 1 : -1)), nextId, tenant };
}

type Line = { readonly sent: SentInTest; readonly number: number; readonly sentAt: Date };

const idOf = ({ sent, number }: Line) => messageIdOf(sent.challengeId, number);

/** The ids of the messages that were charged: a message is charged when it arrives. */
async function findCharged(tx: Tx, tenantId: string, lines: readonly Line[]): Promise<ReadonlySet<string>> {
  const keys = lines.map((line) => ({ tenantId, kind: 'sms-charge' as const, sourceId: idOf(line) }));
  return new Set((await listTestLinesByKey(tx, keys)).map(({ sourceId }) => sourceId));
}

/** Newest first, without those already shown. */
function linesOf(sent: readonly SentInTest[], from: Position): Line[] {
  return sent.flatMap((each) =>
    each.sentAt
      .map((sentAt, place) => ({ sent: each, number: place + 1, sentAt }))
      .filter(({ number }) => each.creditReportId !== from.id || number <= from.number)
      .toReversed(),
  );
}

export function createInbox({ database, vault }: InboxDependencies) {
  const pace: Pace = createPace(OPENED_PER_TURN);

  async function open(
    tenantId: string,
    { creditReportId, sealedRequest, wrapped }: SentInTest,
  ): Promise<GenerateRequest> {
    await pace();
    const dataKey = await withKeys(() => vault.openDataKey({ tenantId, subjectId: creditReportId }, wrapped));
    return JSON.parse(dataKey.open('request', sealedRequest)) as GenerateRequest;
  }

  return async (reader: Reader, query: TestInboxQuery): Promise<TestInboxPage> => {
    const { tenantId } = reader;
    const { limit = PAGE_FALLBACK, cursor } = query;
    const from = readPosition(cursor);
    const { found, lines, charged } = await database.forTenants([tenantId], async (tx) => {
      const found = await find(tx, tenantId, from, query, limit);
      const lines = linesOf(found.sent, from);
      return { found, lines, charged: await findCharged(tx, tenantId, lines.slice(0, limit)) };
    });
    const { name: tenantName, otpHost } = found.tenant;
    const text = otpMessage({ tenantName, code: TEST_CODE, host: otpHost ?? undefined });
    const shown = lines.slice(0, limit);
    // Opened with no transaction open, and each report once.
    const opened = new Map(
      await Promise.all(
        [...new Set(shown.map(({ sent }) => sent))].map(async (sent) => [sent, await open(tenantId, sent)] as const),
      ),
    );
    const toMessage = (line: Line): TestMessage => {
      const { sent, number, sentAt } = line;
      const { mobileNumber, testOptions } = opened.get(sent) ?? {};
      return {
        creditReportId: sent.creditReportId,
        challengeId: sent.challengeId,
        number,
        to: mobileNumber !== undefined && mayOpen(reader) ? maskNumber(mobileNumber) : null,
        text,
        state: charged.has(idOf(line)) ? 'delivered' : stateOf(testOptions?.receipt),
        sentAt: sentAt.toISOString(),
      };
    };
    const next = lines[limit];
    const nextOf = next
      ? { id: next.sent.creditReportId, number: next.number }
      : found.nextId && { id: found.nextId, number: SENDS_MAX };
    return { items: shown.map(toMessage), nextCursor: nextOf ? writePosition(nextOf) : null };
  };
}
