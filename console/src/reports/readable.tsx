// A complete report, to be read.
import type { CreditReport } from '@trefoil/sdk';
import { Info } from 'lucide-react';
import { formatPence } from '../format/money.ts';
import { formatDate } from '../format/time.ts';
import { Card } from '../ui/card.tsx';
import { Accounts, Agreement } from './records.tsx';
import styles from './report.module.css';
import { divideRecords, keyOf, tenureOf } from './report-parts.ts';

export function Readable({ report }: { readonly report: CreditReport }) {
  const { cars, open, closed, owedPence } = divideRecords(report.consumerData.records);
  return (
    <>
      <Card isFlush>
        <Person {...report} />
        <dl className={styles.summary}>
          <Figure name="Car finance" value={String(cars.length)} />
          <Figure name="Owed on it" value={owedPence === undefined ? 'Not known' : formatPence(owedPence)} />
          <Figure name="Other open" value={String(open.length)} />
          <Figure name="Closed" value={String(closed.length)} />
        </dl>
      </Card>
      <Card title={`Car finance (${cars.length})`} isFlush>
        {cars.length === 0 ? (
          <p className={styles.none}>No bureau shows a car finance agreement.</p>
        ) : (
          <ul>
            {cars.map((record) => (
              <Agreement key={keyOf(record)} {...record} />
            ))}
          </ul>
        )}
        <p className={styles.honest}>
          <Info size={15} aria-hidden />
          <span>
            Agreements that ended more than six years ago have left the bureaus’ files and cannot be shown. PCP appears
            as hire purchase.
          </span>
        </p>
      </Card>
      <Card title={`Other open accounts (${open.length})`} isFlush>
        <Accounts records={open} label="Other open accounts" />
      </Card>
      <Card title={`Closed accounts (${closed.length})`} isFlush>
        <Accounts records={closed} label="Closed accounts" />
      </Card>
      <Searches {...report.previousSearches} />
    </>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Person({ person, residencies }: CreditReport) {
  const [current, ...earlier] = residencies.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  return (
    <div className={styles.person}>
      <div>
        <h2 className={styles.name}>{[person.title, person.firstName, person.lastName].filter(Boolean).join(' ')}</h2>
        <p className="quiet">Born {formatDate(person.dateOfBirth)}</p>
      </div>
      {current && (
        <div>
          <p>
            {current.address.lines.slice(0, -1).map((line) => `${line}, `)}
            <span className={styles.postcode}>{current.address.lines.at(-1)}</span>
          </p>
          <p className={styles.small}>
            {tenureOf(current)}
            {earlier.length > 0 && `, ${earlier.length} earlier address${earlier.length === 1 ? '' : 'es'}`}
          </p>
        </div>
      )}
    </div>
  );
}

function Searches({ providers }: CreditReport['previousSearches']) {
  return (
    <Card title="Who has searched" note="Searches of this file that the bureaus list">
      {providers.length === 0 ? (
        <p className="quiet">No bureau lists a search.</p>
      ) : (
        <ul className={styles.searches}>
          {providers.map(({ companyName, records }) => (
            <li key={companyName}>
              <span>{companyName}</span>
              <span className="quiet num">{records.map(({ date }) => formatDate(date)).join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
