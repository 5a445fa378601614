// The fields of a generate request that are kept with the report: exactly those the contract names, so that unknown
// fields a caller sends are never stored.
import type { GenerateRequest } from '@trefoil/contract';
import { UK_ADDRESS_FIELDS } from './uk-address-fields.ts';

const REQUEST_FIELDS = [
  'sessionId',
  'bureaus',
  'ipAddress',
  'searchType',
  'firstName',
  'lastName',
  'dateOfBirth',
  'title',
  'middleName',
  'gender',
  'mobileNumber',
  'email',
  'externalReference',
] as const satisfies readonly (keyof GenerateRequest)[];

function pick<T extends object, K extends keyof T>(value: T, fields: readonly K[]): Pick<T, K> {
  const picked = {} as Pick<T, K>;
  for (const field of fields) if (field in value) picked[field] = value[field];
  return picked;
}

export function consumerRequest(
  request: GenerateRequest,
  normalisePostcode: (text: string) => string | undefined,
): GenerateRequest {
  return {
    ...pick(request, REQUEST_FIELDS),
    addresses: request.addresses.map(({ type, ukAddress }) => ({
      type,
      ukAddress: {
        ...pick(ukAddress, UK_ADDRESS_FIELDS),
        postcode: normalisePostcode(ukAddress.postcode) ?? ukAddress.postcode,
      },
    })),
  };
}
