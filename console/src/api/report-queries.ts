// Questions about one report: what it would cost before it is asked for, and what happened to it since.
import { queryOptions } from '@tanstack/react-query';
import type { GenerateRequest } from '@trefoil/sdk';
import { api } from './client.ts';

export type Bureau = GenerateRequest['bureaus'][number];

/**
 * The price depends on bureaus and mode alone, so the quote is about an invented person: no detail of a consumer leaves the
 * form before its button is pressed.
 */
const ANYBODY = {
  sessionId: 'quote',
  ipAddress: '192.0.2.1',
  searchType: 'pcp',
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '1', townOrCity: 'London', postcode: 'SW1A 1AA' } }],
} satisfies Omit<GenerateRequest, 'bureaus'>;

export type Asked = {
  readonly bureaus: readonly Bureau[];
  readonly isTest: boolean;
  /** With a number, up to three texts may be sent. */
  readonly hasMobile: boolean;
};

export const quoteQuery = (tenantId: string, { bureaus, isTest, hasMobile }: Asked) =>
  queryOptions({
    queryKey: [tenantId, 'quote', { bureaus, isTest, hasMobile }],
    queryFn: async ({ signal }) => {
      const mobile = hasMobile ? { mobileNumber: '+447700900000' } : {};
      const body = { ...ANYBODY, ...mobile, bureaus: [...bureaus], ...(isTest && { test: true }) };
      return (await api(tenantId).quote(body, { signal })).data;
    },
    enabled: bureaus.length > 0,
    // It says what is available too.
    staleTime: 30_000,
  });

/** `status` as the page shows it: with another one, more has happened. */
export type TimelineOf = { readonly tenantId: string; readonly reportId: string; readonly status: string };

export const timelineQuery = ({ tenantId, reportId, status }: TimelineOf) =>
  queryOptions({
    queryKey: [tenantId, 'timeline', reportId, status],
    queryFn: async ({ signal }) => (await api(tenantId).getTimeline(reportId, { signal })).data,
  });
