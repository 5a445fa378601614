// Answers that the console keeps, and what an ended sign-in does to every question.
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { endSignIn, isSignedOut, lacksSecondFactor, onConfirmed, setUpFactor } from './sign-in.ts';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isSignedOut(error)) endSignIn();
      if (lacksSecondFactor(error)) setUpFactor();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Reading a report is a line of the audit log: only what a person does may write one.
      refetchOnWindowFocus: false,
      // The client library repeats what may pass by itself, and waits as long as the service asks.
      retry: false,
      // Offline a question fails and says so, instead of waiting without a word.
      networkMode: 'always',
    },
  },
});

/** A sign-in in another tab: what failed without it is asked again, and it may be another person's. */
export const watchSignIns = () => onConfirmed(() => void queryClient.invalidateQueries());
