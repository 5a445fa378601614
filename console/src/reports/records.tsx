// One account of the file: a car finance agreement with all its figures, or any other in a line.
import { formatPence } from '../format/money.ts';
import { formatDate } from '../format/time.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES, BUREAU_MARKS, BUREAUS } from '../format/words.ts';
import { Badge } from '../ui/badge.tsx';
import styles from './report.module.css';
import { type AccountRecord, keyOf, numberEnding, paymentWords } from './report-parts.ts';

const UNKNOWN = 'Not known';
const NO_LENDER = 'Lender not named';
const amount = (value: AccountRecord['balance']) => (value ? formatPence(value.amount) : UNKNOWN);
const started = ({ startDate }: AccountRecord) => (startDate ? formatDate(startDate) : UNKNOWN);
const kindOf = ({ accountType, accountNumber }: AccountRecord) =>
  `${ACCOUNT_TYPES[accountType]}, ${numberEnding(accountNumber)}`;

function State({ accountStatus }: AccountRecord) {
  const { tone, label } = ACCOUNT_STATUSES[accountStatus];
  return <Badge tone={tone}>{label}</Badge>;
}

export function Agreement(record: AccountRecord) {
  const { companyName, repaymentPeriod, startBalance, balance, bureaus } = record;
  const facts = [
    ['Started', started(record)],
    ['Term', repaymentPeriod ? `${repaymentPeriod} months` : UNKNOWN],
    ['Payment', paymentWords(record) ?? UNKNOWN],
    ['Borrowed', amount(startBalance)],
    ['Owed now', amount(balance)],
  ] as const;
  return (
    <li className={styles.agreement}>
      <div className={styles.agreementHead}>
        <div>
          <h3>{companyName ?? NO_LENDER}</h3>
          <p className="quiet">{kindOf(record)}</p>
        </div>
        <State {...record} />
      </div>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={value === UNKNOWN ? 'faint' : 'num'}>{value}</dd>
          </div>
        ))}
      </dl>
      <ul className={styles.provenance} aria-label="Shown by">
        <li className="faint" aria-hidden="true">
          Shown by
        </li>
        {bureaus.map(({ id, ref }) => (
          <li key={id} className={styles.source}>
            {BUREAUS[id]} <code>{ref}</code>
          </li>
        ))}
      </ul>
    </li>
  );
}

type Accounts = { readonly records: readonly AccountRecord[]; readonly label: string };

export function Accounts({ records, label }: Accounts) {
  if (records.length === 0) return <p className={styles.none}>None.</p>;
  return (
    <table className={styles.accounts}>
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">Lender</th>
          <th scope="col" className={styles.wide}>
            State
          </th>
          <th scope="col" className={styles.wide}>
            Started
          </th>
          <th scope="col" className={styles.end}>
            Balance
          </th>
          <th scope="col" className={styles.wide}>
            Shown by
          </th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={keyOf(record)}>
            <td>
              <b>{record.companyName ?? NO_LENDER}</b>
              <span>{kindOf(record)}</span>
              <span className={styles.narrow}>
                <State {...record} />
              </span>
            </td>
            <td className={styles.wide}>
              <State {...record} />
            </td>
            <td className={styles.wide}>{started(record)}</td>
            <td className={styles.end}>{amount(record.balance)}</td>
            <td className={styles.wide}>
              <Marks {...record} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Marks({ bureaus }: AccountRecord) {
  return (
    <ul className={styles.provenance}>
      {bureaus.map(({ id, ref }) => (
        <li key={id} className={styles.source} title={`${BUREAUS[id]} ${ref}`}>
          <span aria-hidden="true">{BUREAU_MARKS[id]}</span>
          <span className="visually-hidden">
            {BUREAUS[id]}, reference {ref}
          </span>
        </li>
      ))}
    </ul>
  );
}
