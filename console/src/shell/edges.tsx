// The pages at the edge: still coming, not there, not allowed, gone wrong.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { TrefoilNoAnswerError } from '@trefoil/sdk';
import { Building2, CircleAlert, CircleCheck, MapPinOff, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { tellConfirmed } from '../api/sign-in.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Forbidden, Skeleton } from '../ui/states.tsx';

/** Outside the frame a page is its own landmark. */
const Alone = ({ children }: { readonly children: ReactNode }) => <main>{children}</main>;

export function Waiting() {
  return (
    <Page title="Loading" isWaiting heading={<Skeleton width="9rem" height="1.5rem" label="Loading" />}>
      <Skeleton height="14rem" />
    </Page>
  );
}

export const WaitingAlone = () => (
  <Alone>
    <Waiting />
  </Alone>
);

export function Lost() {
  return (
    <Page title="Not found">
      <Empty
        icon={<MapPinOff size={20} aria-hidden />}
        title="This page does not exist"
        action={
          <a href="/console" className={buttonClass('primary')}>
            Go to the start
          </a>
        }
      >
        The address may be old or incomplete.
      </Empty>
    </Page>
  );
}

export const LostAlone = () => (
  <Alone>
    <Lost />
  </Alone>
);

export const NotAllowed = ({ title }: { readonly title: string }) => (
  <Page title={title}>
    <Forbidden />
  </Page>
);

/** An address of a company that the person does not belong to, or that is not open to them. */
export function NoCompany({ isDisabled }: { readonly isDisabled: boolean }) {
  return (
    <Alone>
      <Page title="No access">
        <Empty
          icon={<Building2 size={20} aria-hidden />}
          title={isDisabled ? 'This company is disabled' : 'You are not a member of this company'}
          action={
            <a href="/v1/auth/account" className={buttonClass('primary')}>
              Go to your account
            </a>
          }
        >
          {isDisabled
            ? 'Its people cannot use the service at the moment.'
            : 'The link may be meant for another person, or for another of your accounts.'}
        </Empty>
      </Page>
    </Alone>
  );
}

export function Wrong({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isOffline = error instanceof TrefoilNoAnswerError;
  return (
    <Page title="Something went wrong">
      <Empty
        icon={isOffline ? <WifiOff size={20} aria-hidden /> : <CircleAlert size={20} aria-hidden />}
        title={isOffline ? 'No answer came' : 'The console could not show this page'}
        action={
          // Without a connection a reload would leave the browser's own page.
          <Button look="primary" onClick={() => (isOffline ? void router.invalidate() : location.reload())}>
            {isOffline ? 'Try again' : 'Load it again'}
          </Button>
        }
      >
        {isOffline
          ? 'Check your connection.'
          : 'If you had just sent something, look whether it was done before you send it again. If this happens again, tell us the time and what you were doing.'}
      </Empty>
    </Page>
  );
}

export const WrongAlone = (problem: ErrorComponentProps) => (
  <Alone>
    <Wrong {...problem} />
  </Alone>
);

/** Where a confirmation in another tab ends: it tells the tab with the form. */
export function Confirmed() {
  useEffect(tellConfirmed, []);
  return (
    <Alone>
      <Page title="Confirmed">
        <Empty icon={<CircleCheck size={20} aria-hidden />} title="You have confirmed that it is you">
          Close this tab, go back to the one you came from, and press the button there again.
        </Empty>
      </Page>
    </Alone>
  );
}
