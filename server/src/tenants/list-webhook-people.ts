// The people of a tenant who look after its webhooks, for mails about a disabled endpoint.
export { listWebhookPeople } from './member-store.ts';
