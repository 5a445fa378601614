// Beside a report: what it cost.
import { useQuery } from '@tanstack/react-query';
import { reportCostQuery } from '../api/queries.ts';
import { countOf, formatCount, formatCredits } from '../format/money.ts';
import { ENTRY_KINDS } from '../format/words.ts';
import { Card } from '../ui/card.tsx';
import { Skeleton, SmallFailure } from '../ui/states.tsx';
import styles from './rail.module.css';

type CostProps = { readonly tenantId: string; readonly reportId: string; readonly isTest: boolean };

export function Cost({ tenantId, reportId, isTest }: CostProps) {
  const cost = useQuery(reportCostQuery(tenantId, reportId, isTest));
  const lines = cost.data?.toReversed() ?? [];
  const total = lines.reduce((sum, { amount }) => sum - amount, 0);
  return (
    <Card title="Cost">
      {cost.isError ? (
        <SmallFailure what="The cost" onRetry={cost.refetch} />
      ) : !cost.data ? (
        <Skeleton height="5rem" />
      ) : isTest && lines.length === 0 ? (
        <p className="quiet">This test report cost nothing.</p>
      ) : (
        <table className={styles.cost}>
          <caption className={isTest ? 'quiet' : 'visually-hidden'}>
            {isTest ? 'Charged to the test wallet' : 'Lines of the wallet for this report'}
          </caption>
          <tbody>
            {lines.map(({ id, kind, amount, bureauCount }) => (
              <tr key={id}>
                <th scope="row">
                  {ENTRY_KINDS[kind]}
                  {bureauCount !== null && <span className="faint"> {countOf(bureauCount, 'bureau')}</span>}
                </th>
                <td>{formatCredits(-amount)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td>
                {formatCredits(total)}
                <span>{formatCount(total)} credits</span>
              </td>
            </tr>
          </tfoot>
        </table>
      )}
    </Card>
  );
}
