// Writes thin events in the same transaction as the change they report: a type, ids and credits, never personal data.
export { insertEvents as appendEvents, type NewEvent } from './store.ts';
