// Writes thin events beside what they tell of, in the same transaction: a type and ids, never a person's data.
export { type EventType, insertEvents as appendEvents, type NewEvent } from './store.ts';
