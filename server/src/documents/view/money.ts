// Money in words: pounds and pence, or whole pounds from an agency that gives no more.
const PENCE = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 0 });

export const money = (pence: number, stepPence: 1 | 100 = 1) =>
  (stepPence === 100 && pence % 100 === 0 ? POUNDS : PENCE).format(pence / 100);

export const payments = (amount: string, number: number | null) => (number === null ? amount : `${amount} × ${number}`);
