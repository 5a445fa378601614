// Writes Cygnet's requests: an enquiry, its polls, and the token request for both.
import type { Static } from 'typebox';
import { closed, SettingText } from '../../lib/setting-schema.ts';
import type { BureauCall } from '../call-bureau.ts';
import type { Enquiry } from '../port.ts';
import { PURPOSES } from './codes.ts';

export const CygnetCredentials = closed({ clientId: SettingText, clientSecret: SettingText });
export type CygnetCredentials = Static<typeof CygnetCredentials>;

const ACCEPT = 'application/json, application/problem+json';

export function writeTokenRequest({ clientId, clientSecret }: CygnetCredentials): BureauCall {
  // Each half is form-encoded before they are joined (RFC 6749, 2.3.1), so that a colon in one cannot end it.
  const pair = [clientId, clientSecret].map((part) => new URLSearchParams({ part }).toString().slice('part='.length));
  return {
    method: 'POST',
    path: '/oauth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(pair.join(':')).toString('base64')}`,
    },
    body: 'grant_type=client_credentials&scope=enquiries',
  };
}

export function writeEnquiry(token: string, { enquiryId, consumer }: Enquiry): BureauCall {
  const { title, firstName, middleName, lastName, dateOfBirth, addresses } = consumer;
  const body = {
    reference: enquiryId,
    purpose: PURPOSES[consumer.searchType],
    subject: {
      name: { title: title ?? null, given: [firstName, ...(middleName ? [middleName] : [])], family: lastName },
      born: dateOfBirth,
    },
    addresses: addresses.map(({ type, ukAddress }) => ({
      current: type.toLowerCase() === 'current',
      paf: {
        subBuilding: ukAddress.subBuildingName ?? null,
        buildingName: ukAddress.buildingName ?? null,
        number: ukAddress.buildingNumber ?? null,
        thoroughfare: ukAddress.thoroughfare ?? null,
        locality: ukAddress.district ?? null,
        town: ukAddress.townOrCity,
        postcode: ukAddress.postcode,
      },
    })),
  };
  return {
    method: 'POST',
    path: '/enquiries',
    headers: { 'content-type': 'application/json', accept: ACCEPT, authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  };
}

/** Polls an enquiry that is already made. We build the path ourselves: an address from a reply is never followed. */
export function writePoll(token: string, cygnetId: string): BureauCall {
  return {
    method: 'GET',
    path: `/enquiries/${encodeURIComponent(cygnetId)}`,
    headers: { accept: ACCEPT, authorization: `Bearer ${token}` },
  };
}
