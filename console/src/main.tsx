// Entry of the console: providers around the router, nothing else.
import './fonts.css';
import './tokens.css';
import './base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient, watchSignIns } from './api/query-client.ts';
import { watchConfirmations } from './api/sign-in.ts';
import { router } from './router.tsx';
import { applyTheme, readTheme } from './shell/theme.ts';
import { Toasts } from './ui/toast.tsx';

applyTheme(readTheme());
watchConfirmations();
watchSignIns();
// A page from the browser's memory may belong to a person who has signed out since.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    {/* The content policy allows no style elements. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Toasts>
          <RouterProvider router={router} />
        </Toasts>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
