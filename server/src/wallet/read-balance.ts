// The posted balance that `meta.wallet` shows.
export { getBalance as readBalance } from './store.ts';
