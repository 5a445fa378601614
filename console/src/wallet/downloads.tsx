// A month as a file: CSV for spreadsheets, PDF to read and to keep; of the test wallet all lines as CSV. The service hands a long CSV
// out in parts; the file has all of them, or there is none (docs/decisions/0236-a-month-as-one-file.md).
import { useMutation } from '@tanstack/react-query';
import { Download, FileDown } from 'lucide-react';
import { endSignIn, isSignedOut } from '../api/sign-in.ts';
import { exportLines } from '../api/wallet-queries.ts';
import { formatMonth, monthPeriod } from '../format/time.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { SmallFailure } from '../ui/states.tsx';
import styles from './wallet.module.css';

/** The browser has begun to read the file by then. */
const KEPT_MS = 60_000;

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

type Props = {
  readonly tenantId: string;
  /** Undefined: all lines of the test wallet. */
  readonly month?: string;
  /** Whether the wallet has this month: otherwise there is no PDF of it. */
  readonly hasMonth?: boolean;
};

export function Downloads({ tenantId, month, hasMonth = false }: Props) {
  const ofWhat = month === undefined ? 'the test wallet' : formatMonth(month);
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () => exportLines(tenantId, month === undefined ? { test: true } : monthPeriod(month)),
    onSuccess: (file) => save(file, month === undefined ? 'test-wallet.csv' : `statement-${month}.csv`),
    onError: (error) => {
      if (isSignedOut(error)) endSignIn();
    },
    // As for questions: offline it fails and says so.
    networkMode: 'always',
  });
  return (
    <>
      <div className={styles.downloads}>
        <Button aria-disabled={isPending} onClick={() => !isPending && mutate()}>
          <Download size={15} aria-hidden />
          {isPending ? 'Making the file…' : 'CSV'}
          <span className="visually-hidden"> of {ofWhat}</span>
        </Button>
        {hasMonth && (
          <a
            href={`/${tenantId}/v1/wallet/statement?month=${month}`}
            target="_blank"
            rel="noopener"
            className={buttonClass('second')}
          >
            <FileDown size={15} aria-hidden />
            PDF
            <span className="visually-hidden"> of {ofWhat}</span>
          </a>
        )}
      </div>
      {isError && (
        <div className={styles.noFile}>
          <SmallFailure what="The CSV" onRetry={mutate} />
        </div>
      )}
    </>
  );
}
