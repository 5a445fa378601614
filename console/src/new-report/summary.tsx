// Why there is no report yet, above the form: it takes the focus, and leads to each field with a fault.
import { Link } from '@tanstack/react-router';
import type { TrefoilError } from '@trefoil/sdk';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useCompany } from '../api/company.ts';
import { SIGN_IN_BESIDE } from '../api/sign-in.ts';
import { countOf, formatCredits } from '../format/money.ts';
import { Refusal } from '../forms/refusal.tsx';
import { FIELDS, type FieldName } from './fields.ts';
import styles from './new-report.module.css';
import type { Problem } from './use-request.ts';

type Props = {
  readonly problem: Problem;
  readonly action: string;
  readonly onField: (name: FieldName) => void;
};

export function Summary(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer takes the focus, also the same one again
  useEffect(() => box.current?.focus(), [props.problem]);
  return (
    <div ref={box} tabIndex={-1} role="alert" className={styles.summary}>
      <Words {...props} />
    </div>
  );
}

function Box({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={styles.box}>
      <CircleAlert size={17} aria-hidden />
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </div>
  );
}

function Words({ problem, action, onField }: Props) {
  const { id: tenantId, may } = useCompany();
  switch (problem.kind) {
    case 'faults': {
      const names = (Object.keys(FIELDS) as FieldName[]).filter((name) => problem.faults[name]);
      return (
        <Box
          title={
            names.length > 0
              ? `Nothing was requested. ${countOf(names.length, 'field')} to correct:`
              : 'Nothing was requested, because the service refused what this page sent:'
          }
        >
          <ul className={styles.faults}>
            {names.map((name) => (
              <li key={name}>
                <button type="button" onClick={() => onField(name)}>
                  {FIELDS[name].label}: {problem.faults[name]}
                </button>
              </li>
            ))}
            {problem.others.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Box>
      );
    }
    case 'funds':
      return (
        <Box title="There is not enough in the wallet">
          <p>
            This report needs {formatCredits(problem.required)}, and {formatCredits(problem.available)} is available:{' '}
            <b>{formatCredits(problem.required - problem.available)} is missing</b>. Nothing was requested or charged.{' '}
            {may('wallet:read') ? (
              <Link to="/$tenantId/wallet" params={{ tenantId }} target="_blank">
                Open the wallet in a new tab
              </Link>
            ) : (
              'Ask your finance team to have the wallet topped up.'
            )}
          </p>
        </Box>
      );
    case 'busy':
      return (
        <Box title={problem.isLimited ? 'Too many requests just now' : 'The service cannot do this just now'}>
          <p>
            Nothing was requested or charged, and what you typed stays here. Press “{action}” again{' '}
            {problem.afterSeconds ? `in ${countOf(problem.afterSeconds, 'second')}` : 'in a few seconds'}.
          </p>
        </Box>
      );
    case 'offline':
      return (
        <Box title="You are offline">
          <p>Nothing was requested, and what you typed stays here. Press “{action}” again when you are online.</p>
        </Box>
      );
    case 'unknown':
      return (
        <Box
          title={
            problem.cause
              ? 'It is still not known whether the report was made'
              : 'No answer came, so it is not known whether the report was made'
          }
        >
          {problem.cause && <Cause error={problem.cause} />}
          <p>
            Nothing is sent again by itself. Press “{action}” to find out: if the report was made, you get that one and
            not a second. Until then the details cannot be changed.
          </p>
        </Box>
      );
    case 'failed':
      return (
        <Box title="There is no report">
          <p>
            {problem.message} You can correct the details and press “{action}” again, or{' '}
            <Link to="/$tenantId/reports/$reportId" params={{ tenantId, reportId: problem.creditReportId }}>
              look at this attempt
            </Link>
            .
          </p>
        </Box>
      );
    case 'refused':
      return <Refusal error={problem.error} action={action} />;
  }
}

/** Why a repeat could not find out. It says nothing about the first send. */
function Cause({ error }: { readonly error: TrefoilError }) {
  if (error.status === 401) {
    return (
      <p>
        Your sign-in has ended.{' '}
        <a href={SIGN_IN_BESIDE} target="_blank" rel="noopener">
          Sign in in a new tab
        </a>{' '}
        and come back.
      </p>
    );
  }
  if (error.status === 403) return <p>Your role does not include this any more, so it could not be found out.</p>;
  return (
    <p>
      {error.status === 429
        ? 'Too many requests just now, so it could not be found out.'
        : 'The service cannot say just now.'}{' '}
      {error.retryAfterSeconds ? `Wait ${countOf(error.retryAfterSeconds, 'second')}.` : 'Wait a few seconds.'}
    </p>
  );
}
