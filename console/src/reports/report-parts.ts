// How a report is divided for reading: car finance first, then what runs, then what has ended. Pure.
import type { components } from '@trefoil/sdk';
import { formatPence } from '../format/money.ts';
import { ACCOUNT_STATUSES, isCarFinance } from '../format/words.ts';

type Schemas = components['schemas'];
export type AccountRecord = Schemas['AccountRecord'];
type Residency = Schemas['Residency'];

export function divideRecords(records: readonly AccountRecord[]) {
  const cars = records.filter(isCarFinance);
  const others = records.filter((record) => !isCarFinance(record));
  const isOpen = ({ accountStatus }: AccountRecord) => ACCOUNT_STATUSES[accountStatus].isOpen;
  return {
    cars,
    open: others.filter(isOpen),
    closed: others.filter((record) => !isOpen(record)),
    /** Undefined where a balance is not known: a sum without it would be too small. */
    owedPence: cars.some(({ balance }) => balance === null)
      ? undefined
      : cars.reduce((sum, { balance }) => sum + (balance?.amount ?? 0), 0),
  };
}

const unit = (count: number | null, name: string) => (count ? `${count} ${name}${count === 1 ? '' : 's'}` : undefined);

/** How long a person has lived, or lived, at an address. */
export function tenureOf({ yearsAtAddress, monthsAtAddress, isCurrent }: Residency): string {
  const length = [unit(yearsAtAddress, 'year'), unit(monthsAtAddress, 'month')].filter(Boolean).join(' and ');
  if (length === '') return isCurrent ? 'Lives here now' : 'Lived here before';
  return `${isCurrent ? 'For' : 'Lived here for'} ${length}`;
}

/** An account number as it may be shown: its last characters. */
export const numberEnding = (number: string | null) =>
  number ? `ending ${number.replaceAll(/\W/g, '').slice(-4)}` : 'number not given';

/** As many payments as months are one a month; otherwise how many there are, as in the report's PDF. */
export function paymentWords({ payment, numberOfPayments, repaymentPeriod }: AccountRecord): string | undefined {
  if (!payment) return undefined;
  const each = formatPence(payment.amount);
  if (numberOfPayments === null) return each;
  return numberOfPayments === repaymentPeriod ? `${each} a month` : `${each} × ${numberOfPayments}`;
}

/** A key for a list: bureaus have a reference of their own for each record. */
export const keyOf = ({ bureaus }: AccountRecord) => bureaus.map(({ id, ref }) => `${id} ${ref}`).join();
