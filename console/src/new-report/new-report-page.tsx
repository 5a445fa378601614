// A report for a consumer whose details staff type: the price first, then one request. What happens next, the code too, is on
// the report's own page. Nothing of the consumer is in the address or in the browser's storage.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { TrefoilError } from '@trefoil/sdk';
import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useCompany } from '../api/company.ts';
import { reportQuery } from '../api/queries.ts';
import { quoteQuery } from '../api/report-queries.ts';
import { useOpenForm } from '../api/sign-in.ts';
import { BUREAUS, type BureauId } from '../format/words.ts';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { DetailFields } from './details.tsx';
import { bureausOf, detailsOf, type FieldName, faultsOf } from './fields.ts';
import { LeaveGuard, prepareToAsk } from './leave-guard.tsx';
import styles from './new-report.module.css';
import { PriceCard } from './price-card.tsx';
import { Summary } from './summary.tsx';
import { useRequest } from './use-request.ts';

const ACTION = 'Request the report';

export function NewReportPage() {
  const [given, setGiven] = useState(0);
  return <NewReport key={given} onGiveUp={() => setGiven(given + 1)} />;
}

function NewReport({ onGiveUp }: { readonly onGiveUp: () => void }) {
  const { id: tenantId } = useCompany();
  const { mode = 'live' } = useSearch({ from: '/$tenantId' });
  useOpenForm();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const isFilled = useRef(false);
  const [bureaus, setBureaus] = useState(Object.keys(BUREAUS) as BureauId[]);
  const [hasMobile, setHasMobile] = useState(false);
  const quote = useQuery(quoteQuery(tenantId, { bureaus, hasMobile, isTest: mode === 'test' }));

  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const { request, isSending, problem } = useRequest(tenantId, (reportId, complete) => {
    isFilled.current = false;
    const { queryKey } = reportQuery(tenantId, reportId);
    if (complete) {
      // Not asked for again: a company that keeps no reports has it in this answer alone.
      queryClient.setQueryDefaults(queryKey, { staleTime: Number.POSITIVE_INFINITY });
      queryClient.setQueryData(queryKey, complete);
    }
    void queryClient.invalidateQueries({
      queryKey: [tenantId],
      predicate: ({ queryKey: [, kind, id] }) => !(complete && kind === 'report' && id === reportId),
    });
    // Who went elsewhere meanwhile stays there.
    if (!isShown.current) return;
    // In place of the form: going back must not lead to it.
    void navigate({ to: '/$tenantId/reports/$reportId', params: { tenantId, reportId }, replace: true });
  });

  // The wallet has less than was shown beside the form and in the side bar.
  const isShort = problem?.kind === 'funds';
  useEffect(() => {
    if (!isShort) return;
    for (const kind of ['quote', 'wallet']) void queryClient.invalidateQueries({ queryKey: [tenantId, kind] });
  }, [isShort, queryClient, tenantId]);

  const isLocked = isSending || problem?.kind === 'unknown';
  const refused = problem?.kind === 'faults' ? problem.faults : {};
  const unavailable = quote.error instanceof TrefoilError ? faultsOf(quote.error.details).faults : {};

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { currentTarget } = event;
    // Enter in a field sends a form also where there is no button, since there is no price.
    if (quote.isSuccess && bureaus.length > 0) void request(() => detailsOf(new FormData(currentTarget), mode));
  }

  function noteChange(event: FormEvent<HTMLFormElement>) {
    if (!isFilled.current) void prepareToAsk();
    isFilled.current = true;
    const fields = new FormData(event.currentTarget);
    setBureaus(bureausOf(fields));
    setHasMobile(fields.get('mobileNumber') !== '');
  }

  function focusOn(name: FieldName) {
    const wanted = name === 'dateOfBirth' ? 'birthDay' : name;
    form.current?.querySelector<HTMLElement>(`[name="${wanted}"]`)?.focus();
  }

  return (
    <Page
      title="New report"
      lead="Use this when the consumer is with you, or on the telephone, and has agreed. If a code is needed, they read it out to you."
      crumb={
        <Link to="/$tenantId/reports" params={{ tenantId }}>
          <ArrowLeft size={14} aria-hidden />
          Reports
        </Link>
      }
    >
      <LeaveGuard isFilled={isFilled} isUnknown={isLocked} onGiveUp={onGiveUp} />
      {problem && <Summary problem={problem} action={ACTION} onField={focusOn} />}
      <form ref={form} className={styles.columns} onSubmit={submit} onChange={noteChange} noValidate>
        <Card>
          <fieldset disabled={isLocked} className={styles.form}>
            <legend className="visually-hidden">Details of the consumer</legend>
            <DetailFields
              mode={mode}
              faults={{ ...unavailable, ...refused }}
              priceOf={(bureau) => quote.data?.bureaus.find((each) => each.bureau === bureau)?.credits}
            />
          </fieldset>
        </Card>
        <div className={styles.rail}>
          <PriceCard mode={mode} quote={quote} bureauCount={bureaus.length} action={ACTION} isSending={isSending} />
        </div>
      </form>
    </Page>
  );
}
