// Writes thin events in the same transaction as the change they report: a type and ids, never personal data.
export { insertEvents as appendEvents, type NewEvent } from './store.ts';
