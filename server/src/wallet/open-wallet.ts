// Every tenant has a wallet from its first moment, so that no operation has to ask whether there is one.
export { insertWallet as openWallet } from './store.ts';
