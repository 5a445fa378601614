// The fields of a generate request that are stored with the report: exactly those in the contract, so that unknown
// fields from a caller are never stored.
import type { GenerateRequest } from '@trefoil/contract';
import { UK_ADDRESS_FIELDS } from '../../merge/addresses/uk-address-fields.ts';

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
  // Codes and resends of a test challenge follow them later. A live request has none.
  'testOptions',
] as const satisfies readonly (keyof GenerateRequest)[];

function pick<T extends object, K extends keyof T>(value: T, fields: readonly K[]): Pick<T, K> {
  const picked = {} as Pick<T, K>;
  for (const field of fields) if (field in value) picked[field] = value[field];
  return picked;
}

/** Normalises values with several spellings. The functions need packages or tables, so the caller passes them in. */
export type Spelling = {
  readonly normalisePostcode: (text: string) => string | undefined;
  readonly normaliseEmail: (text: string) => string;
};

export function consumerRequest(request: GenerateRequest, spelling: Spelling): GenerateRequest {
  const { normalisePostcode, normaliseEmail } = spelling;
  return {
    ...pick(request, REQUEST_FIELDS),
    ...(request.email && { email: normaliseEmail(request.email) }),
    addresses: request.addresses.map(({ type, ukAddress }) => ({
      type,
      ukAddress: {
        ...pick(ukAddress, UK_ADDRESS_FIELDS),
        postcode: normalisePostcode(ukAddress.postcode) ?? ukAddress.postcode,
      },
    })),
  };
}
