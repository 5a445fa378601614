// Documents: a report, and a month's statement. Promises of our own (decisions 222 and 241).
import { dig, digList, equal, holds } from '../expect.ts';
import { generate, reportsPath, startChallenge } from '../journey.ts';
import { dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch } from '../sample.ts';

export const documentRows: readonly Row[] = [
  {
    id: 'documents/page-and-pdf',
    title: 'a complete report is a page that runs no script, or a PDF; an open challenge is 409 conflict',
    pins: 'Decision 222',
    run: async ({ api }) => {
      const given = dataOf(await generate(api, branch('allow')), 'complete');
      const path = `${reportsPath(api.tenantId)}/${String(given['creditReportId'])}/document`;
      const page = await api.send({ path });
      equal('status', page.status, 200);
      equal('content-type', page.headers.get('content-type'), 'text/html; charset=utf-8');
      const policy = page.headers.get('content-security-policy') ?? '';
      holds(
        policy.startsWith("default-src 'none'") && !policy.includes('script-src'),
        'a policy without scripts',
        policy,
      );
      for (const call of [{ path: `${path}?format=pdf` }, { path, headers: { accept: 'application/pdf' } }]) {
        const pdf = await api.send(call);
        equal('status', pdf.status, 200);
        equal('content-type', pdf.headers.get('content-type'), 'application/pdf');
        equal('its beginning', pdf.text.slice(0, 5), '%PDF-');
      }
      const { creditReportId } = await startChallenge(api);
      refused(
        await api.send({ path: `${reportsPath(api.tenantId)}/${String(creditReportId)}/document` }),
        409,
        'conflict',
      );
    },
  },
  {
    id: 'documents/statement',
    title:
      'the statement of each month of the wallet is a PDF; another month is 404 not-found, and what is no month 400',
    pins: 'Decision 241',
    run: async ({ api }) => {
      const months = digList(dataOf(await api.send({ path: `/${api.tenantId}/v1/wallet/months` })), 'items');
      const path = `/${api.tenantId}/v1/wallet/statement`;
      const newest = String(dig(months[0], 'month'));
      const pdf = await api.send({ path: `${path}?month=${newest}` });
      equal('status', pdf.status, 200);
      equal('content-type', pdf.headers.get('content-type'), 'application/pdf');
      equal('its beginning', pdf.text.slice(0, 5), '%PDF-');
      refused(await api.send({ path: `${path}?month=1999-12` }), 404, 'not-found');
      invalid(await api.send({ path: `${path}?month=2026-13` }), '/query/month');
    },
  },
];
