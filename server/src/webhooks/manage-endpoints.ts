// Members and credentials manage the webhook endpoints of their tenant. Each change is one transaction under row-level
// security, with its audit row. Neither a secret nor an address is in an audit row: addresses often have a token in them.
import {
  type ChangeWebhookEndpointRequest,
  type CreateWebhookEndpointRequest,
  PAGE_DEFAULT,
  WEBHOOK_ENDPOINTS_MAX,
  type WebhookEndpoint,
  type WebhookEndpointPage,
  type WebhooksQuery,
} from '@trefoil/contract';
import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';
import type { Caller } from '../http/authenticate.ts';
import { type Asking, answerKeyed, type Keyed } from '../idempotency/answer-keyed.ts';
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';
import { ServiceError } from '../lib/errors.ts';
import { isUuid, newId } from '../lib/ids.ts';
import { hostOf, judgeOutsideUrl, type UrlRules } from '../lib/outside/outside-url.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { readCursor, writeCursor } from '../lib/values/cursor.ts';
import { countOwn } from './budgets/count-own.ts';
import { isHostGone } from './budgets/host-store.ts';
import { giveUpTest } from './delivery-store.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { askReceiver, disableEndpoint, enableEndpoint } from './enable-endpoint.ts';
import {
  type EndpointRow,
  insertEndpoint,
  type LockedEndpoint,
  listEndpoints,
  lockEndpoint,
  lockEndpointCount,
  type NewEndpoint,
  updateEndpoint,
  updateEndpointDeleted,
  updateSecret,
} from './endpoint-store.ts';
import { toReplay } from './rules/replay.ts';
import { isReadable, sealText, tryOpenText } from './sealing/sealed-texts.ts';
import { newSecret } from './sign.ts';
import { wakeEndpoints } from './turn-store.ts';

/** How long the secret before a rotation signs too. */
export const GRACE_SECONDS = 24 * 3_600;

type WithSecret = WebhookEndpoint & { readonly secret: string };
type WithNotice = WebhookEndpoint & { readonly notice: string };

const SECRET_NOTICE =
  'The secret was in the first answer and is not shown again. If you do not have it, rotate the secret.';

export const noEndpoint = () => new ServiceError('not-found', 'No webhook endpoint with this id.');

/** An endpoint that cannot be read is shown as disabled, whatever its row says: nothing can be sent to it. */
function toEndpoint(seal: SecretSeal, tenantId: string, row: EndpointRow): WebhookEndpoint {
  const { id, sealedUrl, description, eventTypes, isTest, isOrdered, status, disabledReason } = row;
  const place = { tenantId, id };
  const shown = isReadable(seal, place, row)
    ? { status, disabledReason }
    : ({ status: 'disabled', disabledReason: 'unreadable' } as const);
  return {
    id,
    url: tryOpenText(seal, 'url', place, sealedUrl) ?? '',
    description,
    eventTypes,
    test: isTest,
    ordered: isOrdered,
    ...shown,
    retrying: row.retrying,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    replay: toReplay(row),
  };
}

/** A credential for test mode alone does not see live endpoints, and cannot make one. */
type Reader = Pick<Caller, 'tenantId' | 'isTestOnly'>;

export async function showEndpoint(
  tx: Tx,
  seal: SecretSeal,
  { tenantId, isTestOnly }: Reader,
  id: string,
): Promise<WebhookEndpoint> {
  const [row] = isUuid(id) ? await listEndpoints(tx, tenantId, { id, isTestOnly }, 1) : [];
  if (!row) throw noEndpoint();
  return toEndpoint(seal, tenantId, row);
}

export type HeldEndpoint = LockedEndpoint & {
  readonly canBeRead: boolean;
  /** Enabled and readable. */
  readonly canReceive: boolean;
};

/** Undefined for an endpoint that this caller does not see. */
export async function holdEndpoint(
  tx: Tx,
  seal: SecretSeal,
  { tenantId, isTestOnly }: Reader,
  id: string,
): Promise<HeldEndpoint | undefined> {
  const endpoint = isUuid(id) ? await lockEndpoint(tx, tenantId, id) : undefined;
  if (!endpoint || (isTestOnly && !endpoint.isTest)) return undefined;
  const canBeRead = isReadable(seal, { tenantId, id }, endpoint);
  return { ...endpoint, canBeRead, canReceive: endpoint.status === 'enabled' && canBeRead };
}

async function requireEndpoint(tx: Tx, seal: SecretSeal, reader: Reader, id: string): Promise<HeldEndpoint> {
  const endpoint = await holdEndpoint(tx, seal, reader, id);
  if (!endpoint) throw noEndpoint();
  return endpoint;
}

/** One that was gone, or that comes to a host that said so, has to ask its receiver; while it does, it does not ask again. */
async function enable(tx: Tx, tenantId: string, id: string, before: HeldEndpoint): Promise<void> {
  const { isConfirming, host } = (await lockEndpoint(tx, tenantId, id)) ?? before;
  const isGone = before.disabledReason === 'gone' || (await isHostGone(tx, { tenantId, host }));
  if (!isGone) return enableEndpoint(tx, tenantId, id, before.isOrdered);
  if (!isConfirming) await askReceiver(tx, tenantId, id, before.isTest);
}

/**
 * After a change of the address or the secret: an endpoint that could not be read is enabled once both are new. Also if it was
 * disabled meanwhile because every attempt failed; not if its tenant had disabled it.
 */
async function enableIfReadable(
  tx: Tx,
  seal: SecretSeal,
  caller: Caller,
  id: string,
  before: HeldEndpoint,
): Promise<void> {
  if (before.canBeRead || before.disabledReason === 'requested') return;
  const endpoint = await requireEndpoint(tx, seal, caller, id);
  if (endpoint.canBeRead) await enable(tx, caller.tenantId, id, endpoint);
}

function readUrl(rules: UrlRules, url: string): URL {
  const judged = judgeOutsideUrl(url, rules);
  if ('url' in judged) return judged.url;
  throw new ServiceError('validation-error', 'The request body is not valid; details lists what to correct.', {
    details: [{ path: '/url', message: judged.fault }],
  });
}

/** The audit row is the last lock of the transaction. */
const note = (tx: Tx, { tenantId, id: actor }: Caller, entry: Pick<AuditEntry, 'action' | 'subjectId' | 'details'>) =>
  appendAudit(tx, [{ tenantId, actor, ...entry }]);

export async function listWebhookEndpoints(
  { database, seal }: WebhookDependencies,
  { tenantId, isTestOnly }: Reader,
  { limit = PAGE_DEFAULT, cursor }: WebhooksQuery,
): Promise<WebhookEndpointPage> {
  const beforeId = cursor === undefined ? undefined : readCursor(cursor, isUuid);
  const found = await database.forTenants([tenantId], (tx) =>
    listEndpoints(tx, tenantId, { beforeId, isTestOnly }, limit + 1),
  );
  const items = found.slice(0, limit).map((row) => toEndpoint(seal, tenantId, row));
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last ? writeCursor(last.id) : null };
}

export function readWebhookEndpoint(
  { database, seal }: WebhookDependencies,
  reader: Reader,
  id: string,
): Promise<WebhookEndpoint> {
  return database.forTenants([reader.tenantId], (tx) => showEndpoint(tx, seal, reader, id));
}

/** With the locks and counts of a creation. */
async function insertCounted(
  tx: Tx,
  { seal, budgets }: Pick<WebhookDependencies, 'seal' | 'budgets'>,
  caller: Caller,
  endpoint: NewEndpoint,
): Promise<WebhookEndpoint> {
  const { tenantId } = caller;
  const { id, host, isTest, isOrdered, eventTypes } = endpoint;
  if ((await lockEndpointCount(tx, tenantId)) >= WEBHOOK_ENDPOINTS_MAX) {
    const sentence = `A tenant has at most ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints. Delete one first.`;
    throw new ServiceError('conflict', sentence);
  }
  const max = budgets.creationsPerDay;
  const sentence = `A company makes at most ${max} webhook endpoints in 24 hours. Change one that is there instead.`;
  await countOwn(tx, tenantId, 'creation', { max, sentence });
  await insertEndpoint(tx, tenantId, endpoint);
  if (await isHostGone(tx, { tenantId, host })) {
    await askReceiver(tx, tenantId, id, isTest);
    await wakeEndpoints(tx, [id]);
  }
  const details = { host, test: isTest, ordered: isOrdered, eventTypes: eventTypes ?? 'all' };
  await note(tx, caller, { action: 'webhook.created', subjectId: id, details });
  return showEndpoint(tx, seal, caller, id);
}

/** What is stored with the key of a creation: never the secret. */
type CreatedReference = { readonly endpointId: string };

export async function createWebhookEndpoint(
  dependencies: WebhookDependencies,
  asking: Asking,
  request: CreateWebhookEndpointRequest,
): Promise<Keyed<WithSecret | WithNotice>> {
  const { database, seal, rules } = dependencies;
  const { caller } = asking;
  const { tenantId, isTestOnly } = caller;
  const { url, description = '', eventTypes = null, test = false, ordered = true } = request;
  if (isTestOnly && !test) {
    throw new ServiceError('forbidden', 'This credential works only in test mode: send "test": true.');
  }
  const [place, secret] = [{ tenantId, id: newId() }, newSecret()];
  const host = hostOf(readUrl(rules, url));
  const endpoint = {
    ...{ id: place.id, host, description, eventTypes, isTest: test, isOrdered: ordered },
    sealedUrl: sealText(seal, 'url', place, url),
    sealedSecret: sealText(seal, 'secret', place, secret),
    createdBy: caller.id,
  };
  return database.forTenants([tenantId], (tx) =>
    answerKeyed<CreatedReference, WithSecret | WithNotice>(tx, dependencies, asking, {
      async run() {
        const made = await insertCounted(tx, dependencies, caller, endpoint);
        return { subjectId: place.id, reference: { endpointId: place.id }, result: { ...made, secret } };
      },
      repeat: async ({ endpointId }) => ({
        ...(await showEndpoint(tx, seal, caller, endpointId)),
        notice: SECRET_NOTICE,
      }),
    }),
  );
}

/** A name is looked up before any budget of its receiver is asked: so the names are counted. */
async function countMove(tx: Tx, tenantId: string, max: number): Promise<void> {
  const sentence = `A company moves its webhook endpoints to another host at most ${max} times in 24 hours.`;
  await countOwn(tx, tenantId, 'move', { max, sentence });
}

export async function changeWebhookEndpoint(
  { database, seal, rules, budgets }: WebhookDependencies,
  caller: Caller,
  id: string,
  change: ChangeWebhookEndpointRequest,
): Promise<WebhookEndpoint> {
  const { tenantId } = caller;
  const { url, description, eventTypes, ordered, status } = change;
  const host = url === undefined ? undefined : hostOf(readUrl(rules, url));
  return database.forTenants([tenantId], async (tx) => {
    const before = await requireEndpoint(tx, seal, caller, id);
    // The same address once more is no change: it must not begin a new five days.
    const isSame = url === tryOpenText(seal, 'url', { tenantId, id }, before.sealedUrl);
    const address =
      url === undefined || host === undefined || isSame
        ? undefined
        : { host, sealedUrl: sealText(seal, 'url', { tenantId, id }, url), madeBy: caller.id };
    if (address && address.host !== before.host) await countMove(tx, tenantId, budgets.movesPerDay);
    // A test under way was for the address before.
    if (address) await giveUpTest(tx, tenantId, id);
    await updateEndpoint(tx, tenantId, id, { address, description, eventTypes, isOrdered: ordered });
    if (status === 'disabled') await disableEndpoint(tx, tenantId, id, 'requested');
    // A new address has its own five days, and gets what was given up at the old one. If the endpoint stays disabled, it is
    // still known since when it fails: that decides what is sent once it is enabled.
    const isMoved = address !== undefined && before.status === 'enabled' && status !== 'disabled';
    if (isMoved || (status === 'enabled' && before.status === 'disabled'))
      await enable(tx, tenantId, id, { ...before, isOrdered: ordered ?? before.isOrdered });
    if (status !== 'disabled') await enableIfReadable(tx, seal, caller, id, before);
    await wakeEndpoints(tx, [id]);
    const details = { changed: Object.keys(change), ...(host && { host }), ...(status && { status }) };
    await note(tx, caller, { action: 'webhook.changed', subjectId: id, details });
    return showEndpoint(tx, seal, caller, id);
  });
}

export async function deleteWebhookEndpoint(
  { database, seal }: WebhookDependencies,
  caller: Caller,
  id: string,
): Promise<{ id: string }> {
  return database.forTenants([caller.tenantId], async (tx) => {
    await requireEndpoint(tx, seal, caller, id);
    await updateEndpointDeleted(tx, caller.tenantId, id);
    await note(tx, caller, { action: 'webhook.deleted', subjectId: id, details: {} });
    return { id };
  });
}

export async function rotateWebhookSecret(
  { database, seal }: WebhookDependencies,
  caller: Caller,
  id: string,
): Promise<WithSecret> {
  const { tenantId } = caller;
  const secret = newSecret();
  return database.forTenants([tenantId], async (tx) => {
    const before = await requireEndpoint(tx, seal, caller, id);
    const sealedSecret = sealText(seal, 'secret', { tenantId, id }, secret);
    await updateSecret(tx, tenantId, id, { sealedSecret, graceSeconds: GRACE_SECONDS, madeBy: caller.id });
    await enableIfReadable(tx, seal, caller, id, before);
    await wakeEndpoints(tx, [id]);
    await note(tx, caller, { action: 'webhook.secret-rotated', subjectId: id, details: {} });
    return { ...(await showEndpoint(tx, seal, caller, id)), secret };
  });
}
