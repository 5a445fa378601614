// The fields of a UK address, in the interface's order.
import type { ReportUkAddress } from '@trefoil/contract';

export const UK_ADDRESS_FIELDS = [
  'subBuildingName',
  'buildingName',
  'buildingNumber',
  'thoroughfare',
  'district',
  'townOrCity',
  'county',
  'country',
  'postcode',
] as const satisfies readonly (keyof ReportUkAddress)[];
