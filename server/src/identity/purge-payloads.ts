// Clears what the OAuth library no longer needs, such as the ids of assertions that have expired.
export { deleteExpiredPayloads as purgePayloads } from './store.ts';
