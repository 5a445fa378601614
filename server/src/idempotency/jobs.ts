// Deletes keys that have expired.
export { IDEMPOTENCY_KEYS } from './store.ts';
