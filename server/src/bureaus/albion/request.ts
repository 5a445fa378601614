// Writes Albion's requests: an envelope with a username token, around an enquiry or around its pick.
import { createHash, randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import { closed, SettingText } from '../../lib/setting-schema.ts';
import type { BureauCall } from '../call-bureau.ts';
import type { Enquiry } from '../port.ts';
import { PURPOSES } from './codes.ts';
import { escapeXml } from './xml.ts';

export const AlbionCredentials = closed({ username: SettingText, password: SettingText });
export type AlbionCredentials = Static<typeof AlbionCredentials>;

export function writeEnquiry(credentials: AlbionCredentials, { enquiryId, consumer }: Enquiry): BureauCall {
  const { title, firstName, middleName, lastName, dateOfBirth, addresses } = consumer;
  const subject = { ttl: title, fore: firstName, mid: middleName, sur: lastName, dob: dateOfBirth };
  const content = [
    `<subject${attributes(subject)}/>`,
    ...addresses.map(({ type, ukAddress }) => {
      const { subBuildingName: flat, buildingName: name, buildingNumber: no, thoroughfare: street } = ukAddress;
      const cur = type.toLowerCase() === 'current' ? '1' : '0';
      return `<addr${attributes({ cur, flat, name, no, street, town: ukAddress.townOrCity, pc: ukAddress.postcode })}/>`;
    }),
  ].join('');
  return envelope(credentials, { enqId: enquiryId, why: PURPOSES[consumer.searchType] }, content);
}

/** A pick has the id of its enquiry, so that it is a step of it and not another enquiry. */
export function writePick(credentials: AlbionCredentials, enquiry: Enquiry, premKey: string): BureauCall {
  const { enquiryId, consumer } = enquiry;
  const content = `<pick${attributes({ premKey })}/>`;
  return envelope(credentials, { enqId: enquiryId, why: PURPOSES[consumer.searchType] }, content);
}

function envelope(
  { username, password }: AlbionCredentials,
  request: Readonly<Record<string, string>>,
  content: string,
): BureauCall {
  // A nonce works once, so every call has its own.
  const nonce = randomBytes(16);
  const created = `${new Date().toISOString().slice(0, 19)}Z`;
  const digest = createHash('sha256').update(nonce).update(created).update(password).digest('base64');
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/" xmlns:rpt="urn:albion:report:3" xmlns:sec="urn:albion:security:1">
<env:Header><sec:UsernameToken><sec:Username>${escapeXml(username)}</sec:Username><sec:Password>${digest}</sec:Password>\
<sec:Nonce>${nonce.toString('base64')}</sec:Nonce><sec:Created>${created}</sec:Created></sec:UsernameToken></env:Header>
<env:Body><rpt:EnquiryRequest ver="3"${attributes(request)}>${content}</rpt:EnquiryRequest></env:Body>
</env:Envelope>`;
  return {
    method: 'POST',
    path: '/enquiry',
    headers: { 'content-type': 'text/xml; charset=utf-8', accept: 'text/xml' },
    body,
  };
}

function attributes(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .filter((entry): entry is [string, string] => Boolean(entry[1]))
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
}
