// The lines of a statement, newest first.
import { Link } from '@tanstack/react-router';
import type { WalletEntry } from '../api/queries.ts';
import { countOf, formatCount, formatCredits, formatSigned } from '../format/money.ts';
import { formatTime } from '../format/time.ts';
import { ENTRY_KINDS } from '../format/words.ts';
import table from '../ui/table.module.css';
import { Time } from '../ui/time.tsx';
import styles from './wallet.module.css';

type Props = {
  readonly tenantId: string;
  readonly entries: readonly WalletEntry[];
  readonly caption: string;
  /** Whose wallet it is: a line leads to a report of that mode. */
  readonly mode?: 'test';
};

/** The company's own reference, or what the operator noted. */
const referenceOf = ({ externalReference, note }: WalletEntry) => externalReference ?? note;

export function Lines({ tenantId, entries, caption, mode }: Props) {
  return (
    <table className={table.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className={table.wide}>
            Reference
          </th>
          <th scope="col" className={table.wide}>
            When
          </th>
          <th scope="col" className={table.end}>
            Amount
          </th>
          <th scope="col" className={`${table.end} ${table.wide}`}>
            Credits
          </th>
          <th scope="col" className={`${table.end} ${table.wide}`}>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              {ENTRY_KINDS[entry.kind]}
              {entry.bureauCount !== null && <span className="faint">, {countOf(entry.bureauCount, 'bureau')}</span>}
              <span className={`${table.sub} ${table.narrow}`}>
                {[referenceOf(entry), formatTime(entry.createdAt)].filter(Boolean).join(' · ')}
              </span>
            </td>
            <td className={table.wide}>
              <Reference tenantId={tenantId} entry={entry} mode={mode} />
            </td>
            <td className={`${table.wide} quiet`}>
              <Time at={entry.createdAt} />
            </td>
            <td className={table.end}>
              <span className={entry.amount > 0 ? styles.in : undefined}>{formatSigned(entry.amount)}</span>
              <span className={`${table.sub} ${table.narrow}`}>{formatCredits(entry.balanceAfter)}</span>
            </td>
            <td className={`${table.end} ${table.wide} faint`}>
              {entry.amount > 0 && '+'}
              {formatCount(entry.amount)}
            </td>
            <td className={`${table.end} ${table.wide}`}>{formatCredits(entry.balanceAfter)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type ReferenceProps = Pick<Props, 'tenantId'> & {
  readonly entry: WalletEntry;
  readonly mode: Props['mode'] | undefined;
};

function Reference({ tenantId, entry, mode }: ReferenceProps) {
  const text = referenceOf(entry);
  if (!entry.creditReportId) return text ? <span className={styles.reference}>{text}</span> : <span>–</span>;
  return (
    <Link
      to="/$tenantId/reports/$reportId"
      params={{ tenantId, reportId: entry.creditReportId }}
      search={{ mode }}
      className={styles.reference}
    >
      {text ?? 'Open report'}
    </Link>
  );
}
