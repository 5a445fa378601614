// What the report costs, before it is asked for. Without a price there is no button.
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type QuoteResponse, TrefoilError } from '@trefoil/sdk';
import { Send } from 'lucide-react';
import { useCompany } from '../api/company.ts';
import type { Mode } from '../api/queries.ts';
import { countOf, formatCredits } from '../format/money.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Skeleton, SmallFailure } from '../ui/states.tsx';
import styles from './new-report.module.css';

type Quote = QuoteResponse['data'];
type Props = {
  readonly mode: Mode;
  readonly quote: UseQueryResult<Quote>;
  readonly bureauCount: number;
  /** What the button says. */
  readonly action: string;
  readonly isSending: boolean;
};

export function PriceCard({ mode, quote, bureauCount, action, isSending }: Props) {
  return (
    <Card title={mode === 'test' ? 'What it would cost' : 'What it costs'}>
      {bureauCount === 0 ? (
        <p className="quiet">Choose at least one bureau to see the price.</p>
      ) : quote.isError ? (
        quote.error instanceof TrefoilError && quote.error.status === 400 ? (
          <p className="quiet">There is no price for these bureaus.</p>
        ) : (
          <SmallFailure what="The price" onRetry={quote.refetch} />
        )
      ) : !quote.data ? (
        <div role="status">
          <span className="visually-hidden">Loading the price</span>
          <Skeleton height="8.5rem" />
        </div>
      ) : (
        <>
          <Prices {...quote.data} />
          <Button look="primary" type="submit" className={styles.submit} aria-disabled={isSending}>
            <Send size={15} aria-hidden />
            {isSending ? 'Requesting…' : action}
          </Button>
          {isSending && (
            <p className={styles.note} role="status">
              Screening and the bureaus are being asked. This takes up to 20 seconds.
            </p>
          )}
        </>
      )}
    </Card>
  );
}

function Prices({ test, report, bureaus, message, maximum, funds, limits }: Quote) {
  const { id: tenantId, may } = useCompany();
  const cost = bureaus.reduce((sum, { credits }) => sum + credits, report);
  // The number of the quote is invented, so what it says about a number does not count.
  const limit = limits.find(({ kind, refuses }) => refuses && (kind === 'company-day' || kind === 'company-minute'));
  return (
    <>
      <dl className={styles.cost}>
        <div>
          <dt>Report, {countOf(bureaus.length, 'bureau')}</dt>
          <dd>{formatCredits(cost)}</dd>
        </div>
        <div>
          <dt>Each text delivered</dt>
          <dd>{formatCredits(message)}</dd>
        </div>
        <div>
          <dt>At most</dt>
          <dd>{formatCredits(maximum)}</dd>
        </div>
      </dl>
      {test ? (
        <p className={styles.note}>
          These are the prices of live mode. A test report requested here costs nothing: neither the live wallet nor the
          test wallet is charged.
        </p>
      ) : (
        <p className={styles.note}>
          A report that fails and a bureau that does not answer cost nothing; delivered texts stay charged.{' '}
          {formatCredits(funds.available)} available.
        </p>
      )}
      {!test && !funds.sufficient && (
        <p className={styles.warning}>
          {formatCredits(funds.required - funds.available)} more is needed to request this report.{' '}
          {may('wallet:read') ? (
            <Link to="/$tenantId/wallet" params={{ tenantId }}>
              Go to the wallet
            </Link>
          ) : (
            'Ask your finance team to have the wallet topped up.'
          )}
        </p>
      )}
      {!test && limit && (
        <p className={styles.warning}>
          Your company’s limit of texts for {limit.kind === 'company-day' ? 'today' : 'this minute'} is reached. A
          report that needs a code fails until then, and costs nothing.
        </p>
      )}
    </>
  );
}
