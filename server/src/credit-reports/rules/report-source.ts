// Where a report was requested.
import type { ReportSource } from '@trefoil/contract';

/** Cookies come from the service's own pages alone (docs/decisions/0023-cookies.md); programs and applications send a token. */
export const sourceOf = ({ isByCookie }: { readonly isByCookie?: boolean | undefined }): ReportSource =>
  isByCookie ? 'console' : 'api';
