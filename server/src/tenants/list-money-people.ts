// The people of a tenant who look after its money, for mails about the wallet.
export { listMoneyPeople } from './member-store.ts';
