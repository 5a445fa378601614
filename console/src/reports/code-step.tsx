// A report that waits for its code: where the code went, entering it, and sending it again. The API judges and counts;
// nothing is repeated by itself.
import { useQuery } from '@tanstack/react-query';
import { type components, TrefoilError, TrefoilNoAnswerError } from '@trefoil/sdk';
import { MessageSquareText } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { timelineQuery } from '../api/report-queries.ts';
import { useOpenForm } from '../api/sign-in.ts';
import { countOf } from '../format/money.ts';
import { formatTime } from '../format/time.ts';
import { SENDS } from '../format/words.ts';
import { Refusal } from '../forms/refusal.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import styles from './code-step.module.css';
import { wordsOfLimit } from './sms-limits.ts';
import { useKey, useLookAgain, useShowReport } from './use-code.ts';

type Challenge = {
  readonly challengeId: string;
  readonly sends: readonly components['schemas']['ChallengeSend'][];
};
type Props = {
  readonly tenantId: string;
  readonly reportId: string;
  readonly challenge: Challenge;
  readonly isTest: boolean;
};

/** Interface, "Limits": a code works for five minutes, and a challenge has three texts. */
const LIFETIME_MS = 5 * 60_000;
const TEXTS_MAX = 3;

type Said =
  | { readonly kind: 'wrong'; readonly attemptsRemaining: number }
  | { readonly kind: 'sent'; readonly remaining: number }
  | { readonly kind: 'not-sent'; readonly words: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly error: unknown; readonly action: string };

export function CodeStep({ tenantId, reportId, challenge, isTest }: Props) {
  useOpenForm();
  const { data: timeline } = useQuery(timelineQuery({ tenantId, reportId, status: 'authentication-required' }));
  const lookAgain = useLookAgain(tenantId);
  const showReport = useShowReport(tenantId, reportId);
  const codeKey = useKey();
  const textKey = useKey();
  const [said, setSaid] = useState<Said>();
  const [busyWith, setBusyWith] = useState<'code' | 'text'>();
  const [text, setText] = useState('');
  const input = useRef<HTMLDivElement>(null);
  const last = challenge.sends.at(-1);
  const endsAt = last ? new Date(Date.parse(last.sentAt) + LIFETIME_MS) : undefined;
  useAt(endsAt, lookAgain);

  async function act(kind: 'code' | 'text', work: () => Promise<Said | undefined>) {
    if (busyWith) return;
    setBusyWith(kind);
    setSaid(undefined);
    setSaid(await work());
    setBusyWith(undefined);
  }

  async function submit(): Promise<Said | undefined> {
    try {
      const asked = { challengeId: challenge.challengeId, code: text };
      const answer = await api(tenantId).submitOtp(reportId, asked, codeKey.callOf(text));
      codeKey.noteAnswer();
      setText('');
      const { data } = answer;
      if (data.status === 'retry') return { kind: 'wrong', attemptsRemaining: data.attemptsRemaining };
      if (!(await showReport(answer))) await lookAgain();
      return undefined;
    } catch (error) {
      return await judge(error, 'Check the code');
    }
  }

  async function resend(): Promise<Said | undefined> {
    try {
      // Once a further text is known of, the next is another.
      const call = textKey.callOf(String(challenge.sends.length));
      const { data } = await api(tenantId).resendSms(reportId, { challengeId: challenge.challengeId }, call);
      textKey.noteAnswer();
      await lookAgain();
      return { kind: 'sent', remaining: data.remainingSmsCount };
    } catch (error) {
      if (error instanceof TrefoilError && error.is('sms-limit-reached')) {
        return { kind: 'not-sent', words: wordsOfLimit(error.limit) };
      }
      if (error instanceof TrefoilError && error.isInsufficientFunds) {
        return {
          kind: 'not-sent',
          words: 'There is not enough in the wallet for another text. Codes already sent still work.',
        };
      }
      return await judge(error, 'Send the code again');
    }
  }

  /** An ended challenge is shown as the report then is: failed, complete, or in progress. */
  async function judge(error: unknown, action: string): Promise<Said | undefined> {
    if (error instanceof TrefoilNoAnswerError) return { kind: 'unknown' };
    if (!(error instanceof TrefoilError)) return { kind: 'refused', error, action };
    if (error.is('challenge-expired', 'challenge-closed', 'request-in-progress', 'credit-report-purged')) {
      await lookAgain();
      return undefined;
    }
    if (error.status >= 500) return { kind: 'unknown' };
    return { kind: 'refused', error, action };
  }

  // A wrong code is typed anew: the field gets the focus, and says why.
  useEffect(() => {
    if (said?.kind === 'wrong') input.current?.querySelector('input')?.focus();
  }, [said]);

  const fault =
    said?.kind === 'wrong' ? `That code is wrong. ${countOf(said.attemptsRemaining, 'attempt')} left.` : undefined;
  return (
    <Card title="Enter the code">
      <p className={styles.where}>
        <MessageSquareText size={17} aria-hidden />
        <span>
          {isTest ? 'A text would have gone' : 'A text with a code went'}{' '}
          {timeline?.mobileEnding ? (
            <>
              to the number ending <b className="num">{timeline.mobileEnding}</b>
            </>
          ) : (
            'to the consumer'
          )}
          {last && `: ${SENDS[last.state].toLowerCase()}`}.{' '}
          {endsAt && `Its code works until ${formatTime(endsAt.toISOString())}.`}
          {isTest && ' The code of test mode is in the test inbox.'}
        </span>
      </p>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (text.trim() !== '') void act('code', submit);
        }}
      >
        <div ref={input}>
          <Field
            label="Code"
            hint="Six digits, as the consumer reads them out"
            fault={fault}
            inputMode="numeric"
            autoComplete="off"
            maxLength={32}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <div className={styles.actions}>
          <Button look="primary" type="submit" aria-disabled={busyWith !== undefined}>
            {busyWith === 'code' ? 'Checking…' : 'Check the code'}
          </Button>
          <Button
            aria-disabled={busyWith !== undefined || challenge.sends.length >= TEXTS_MAX}
            onClick={() => {
              if (challenge.sends.length < TEXTS_MAX) void act('text', resend);
            }}
          >
            {busyWith === 'text' ? 'Sending…' : 'Send the code again'}
          </Button>
        </div>
      </form>
      <Told
        said={said}
        isChecking={busyWith === 'code'}
        isLast={challenge.sends.length >= TEXTS_MAX}
        onLook={lookAgain}
      />
    </Card>
  );
}

type ToldProps = {
  readonly said: Said | undefined;
  readonly isChecking: boolean;
  readonly isLast: boolean;
  readonly onLook: () => unknown;
};

function Told({ said, isChecking, isLast, onLook }: ToldProps) {
  if (said?.kind === 'refused') return <Refusal error={said.error} action={said.action} />;
  if (said?.kind === 'unknown') {
    return (
      <div role="alert" className={styles.told}>
        <p>
          No answer came, so it is not known what happened. Nothing is sent again by itself; pressing again repeats the
          same request.
        </p>
        <Button onClick={() => onLook()}>Look what became of it</Button>
      </div>
    );
  }
  if (said?.kind === 'not-sent') {
    return (
      <p role="alert" className={styles.told}>
        {said.words}
      </p>
    );
  }
  return (
    <p role="status" className={styles.note}>
      {isChecking
        ? 'If the code is right, the bureaus are asked. This takes up to 20 seconds.'
        : said?.kind === 'sent'
          ? `Sent again. ${said.remaining === 0 ? 'No further text can be sent.' : `${countOf(said.remaining, 'more text')} can be sent.`}`
          : isLast
            ? 'All three texts have been sent. If none arrives, request a new report.'
            : 'After three wrong codes, or when the time is over, the report fails and its charge is refunded; delivered texts stay charged.'}
    </p>
  );
}

/** Once, at this time and a moment more: until then only what a person does asks again. */
function useAt(time: Date | undefined, work: () => unknown): void {
  const latest = useRef(work);
  latest.current = work;
  const atMs = time?.getTime();
  useEffect(() => {
    if (atMs === undefined || atMs < Date.now()) return;
    const timer = setTimeout(() => latest.current(), atMs - Date.now() + 1_500);
    return () => clearTimeout(timer);
  }, [atMs]);
}
