// Compiled against the packed types: what a tenant writes compiles, and what forgets an outcome does not.
import {
  createTrefoil,
  ERROR_CODES,
  EVENT_TYPES,
  type GenerateRequest,
  match,
  outcomeOf,
  TrefoilError,
  TrefoilNoAnswerError,
  unreachable,
  type WebhookMessage,
  webhooks,
} from '@trefoil/sdk';

const trefoil = createTrefoil({
  baseUrl: 'https://trefoil.example.com',
  tenantId: 't',
  clientId: 'c',
  clientSecret: 's',
});

export async function decide(request: GenerateRequest, signal: AbortSignal): Promise<string> {
  const answer = await trefoil.generate(request, { signal, timeoutMs: 20_000, idempotencyKey: 'attempt-1' });
  const outcome = outcomeOf(answer);
  switch (outcome.kind) {
    case 'traced':
    case 'partly-traced':
      return String(outcome.creditReport.consumerData.records.length);
    case 'not-traced':
      return outcome.coverage.message;
    case 'authentication-required':
      return outcome.challengeId;
    case 'blocked':
      return outcome.creditReportId;
    case 'failed':
      return outcome.errorMessage;
    default:
      return unreachable(outcome);
  }
}

export async function forget(request: GenerateRequest): Promise<string> {
  const answer = await trefoil.generate(request);
  const rest = { 'authentication-required': () => '', blocked: () => '', failed: () => '' };
  // @ts-expect-error: not-traced is not handled
  return match(answer, { ...rest, traced: () => '', 'partly-traced': () => '' });
}

export function explain(error: unknown): string {
  if (error instanceof TrefoilNoAnswerError) return error.idempotencyKey ?? '';
  if (!(error instanceof TrefoilError)) return '';
  if (error.is('insufficient-funds', 'insufficient-credits')) return `${error.required - error.available} short`;
  // @ts-expect-error: there is no such code
  if (error.is('insufficient-found')) return '';
  return `${error.code} ${error.requestId ?? ''} ${error.docs ?? ''}`;
}

export async function receive(body: string, headers: Headers): Promise<string> {
  const { type, data } = await webhooks.unwrap(body, headers, 'whsec_…');
  return `${type} ${data.creditReportId ?? ''}`;
}

export async function keep(cursor: string, store: (cursor: string) => Promise<void>): Promise<void> {
  for await (const { data } of trefoil.listEvents({ wait: 20, cursor }).pages()) await store(data.nextCursor);
}

export async function replayed(request: GenerateRequest): Promise<boolean> {
  const { headers } = await trefoil.generate(request, { headers: { 'x-case': '7' } }).withResponse();
  return headers.get('idempotent-replayed') === 'true';
}

const known = new Set<string>([...EVENT_TYPES, ...ERROR_CODES]);

export function tell(message: WebhookMessage): string {
  if (!known.has(message.type)) return '';
  if (message.type === 'credit-report.completed') return message.data.creditReportId.toUpperCase();
  if (message.type === 'wallet.low') return `${message.data.threshold - message.data.balance} credits below`;
  // @ts-expect-error: there is no such type
  if (message.type === 'wallet.empty') return '';
  return `${message.type} ${message.data.creditReportId ?? ''}`;
}

export async function listen(url: string): Promise<string> {
  const { data } = await trefoil.createWebhookEndpoint({ url, test: true, eventTypes: ['wallet.low'] });
  for await (const { attempts } of trefoil.listWebhookDeliveries(data.id, { state: 'failed' }))
    return `${attempts[0]?.error}`;
  // @ts-expect-error: only create and rotate answer with a secret
  return (await trefoil.getWebhookEndpoint(data.id)).data.secret;
}

export async function sum(): Promise<number> {
  let credits = 0;
  for await (const entry of trefoil.listWalletEntries({ limit: 100 })) credits += entry.amount;
  return credits;
}

// @ts-expect-error: a page with cookies has no credential
createTrefoil({ auth: 'cookies' });
createTrefoil({ auth: 'cookies', tenantId: 't' });
