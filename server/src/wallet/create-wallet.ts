// Every tenant has a wallet from the start, so that no operation has to check for one.
export { insertWallet as createWallet } from './store.ts';
