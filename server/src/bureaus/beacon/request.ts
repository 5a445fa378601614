// Writes Beacon's request: flat JSON, every value a string.
import type { Static } from 'typebox';
import { closed, SettingText } from '../../lib/setting-schema.ts';
import type { BureauCall } from '../call-bureau.ts';
import type { Enquiry } from '../port.ts';
import { PURPOSES } from './codes.ts';

export const BeaconCredentials = closed({ apiKey: SettingText });
export type BeaconCredentials = Static<typeof BeaconCredentials>;

export function writeEnquiry({ apiKey }: BeaconCredentials, { enquiryId, consumer }: Enquiry): BureauCall {
  const body = {
    hdr: { ver: '2', ref: enquiryId, pur: PURPOSES[consumer.searchType] },
    sub: {
      ttl: consumer.title ?? '',
      fn: consumer.firstName,
      mn: consumer.middleName ?? '',
      sn: consumer.lastName,
      dob: toBeaconDate(consumer.dateOfBirth),
    },
    loc: consumer.addresses.map(({ ukAddress }, place) => {
      const number = ukAddress.buildingNumber ?? '';
      const isPlain = /^\d+$/.test(number);
      return {
        i: String(place + 1).padStart(2, '0'),
        flat: (ukAddress.subBuildingName ?? '').replace(/^flat\s+/i, ''),
        hn: isPlain ? '' : number,
        hnm: ukAddress.buildingName ?? '',
        hno: isPlain ? number : '',
        st: ukAddress.thoroughfare ?? '',
        pt: ukAddress.townOrCity,
        pc: ukAddress.postcode.replace(/\s/g, ''),
      };
    }),
  };
  return {
    method: 'POST',
    path: '/v2/file',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(body),
  };
}

/** `1984-03-09` is `09031984`. */
export function toBeaconDate(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return day + month + year;
}
