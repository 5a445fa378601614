// The section `webhooks` of the OpenAPI document: what the service posts to the endpoints of a tenant, and what it makes of
// each answer (docs/decisions/0202-webhooks.md, 0203-webhook-deliveries.md).
import { json } from './openapi-responses.ts';
import { TEST_MESSAGE_TYPE, WEBHOOK_MESSAGES, type WebhookMessage } from './webhook-messages.ts';

type Json = Record<string, unknown>;

const header = (name: string, description: string, schema: Json): Json => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string', ...schema },
});

const HEADERS: readonly Json[] = [
  header(
    'webhook-id',
    '`id` of the body, and the same in every attempt. Ignore a message whose id you have already seen.',
    { examples: ['evt_94d049bb133111eb'] },
  ),
  header(
    'webhook-timestamp',
    'When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead.',
    { pattern: '^\\d+$', examples: ['1772446500'] },
  ),
  header(
    'webhook-signature',
    'Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over ' +
      '`<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. ' +
      'For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. ' +
      'Verify the bytes of the body as they arrived, before you parse them.',
    { examples: ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='] },
  ),
];

const answers = (again: string): Json => ({
  '2XX': {
    description:
      'Delivered. Answer within 15 seconds, and work on the event afterwards. Your body decides nothing; its first kilobyte is ' +
      'kept for the list of deliveries.',
  },
  '410': {
    description:
      'You want nothing more at this address: the endpoint is disabled at once. What happens meanwhile waits for up to 30 days.',
  },
  default: {
    description: `Not delivered: every other status, redirects too, and no answer within 15 seconds. ${again}`,
    headers: {
      'Retry-After': {
        description:
          'The earliest time of the next attempt, in seconds or as a date: up to a day. Other messages to the endpoint wait as ' +
          'well, for up to an hour.',
        schema: { type: 'string' },
      },
    },
  },
});

const EVENT_AGAIN = 'There are up to ten attempts in about three days.';
const TEST_AGAIN = 'A test is not sent again.';

function describeMessage({ type, when, schema, example }: WebhookMessage): Json {
  const isTest = type === TEST_MESSAGE_TYPE;
  const asked = isTest
    ? '`POST …/webhook-endpoints/{endpointId}/test` sends it, whatever types the endpoint is for.'
    : 'Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode.';
  return {
    post: {
      tags: ['Webhooks'],
      summary: type,
      description: `Sent when ${when}. ${asked} Ignore fields that you do not know: more may be added.`,
      // The signature is what proves the sender; there is no token.
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: json(schema, { message: { summary: type, value: example } }) },
      responses: answers(isTest ? TEST_AGAIN : EVENT_AGAIN),
    },
  };
}

export const describeWebhooks = (): Json =>
  Object.fromEntries(WEBHOOK_MESSAGES.map((message) => [message.type, describeMessage(message)]));
