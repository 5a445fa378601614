// Erases the addresses of invitations that were over long ago.
export { INVITATIONS } from './invitation-store.ts';
