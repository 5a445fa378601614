// The facts about a low wallet, for the mail about it.
export { findLowWallet } from './store.ts';
