// Deletes events that are older than 30 days.
export { OUTBOX } from './store.ts';
