// Who was searched, with which details, and what each agency answered.
import type { UkAddress } from '@trefoil/contract';
import type { SearchedWith } from '../../merge/provenance.ts';
import { column, row } from './blocks.ts';
import { atLondon, longDay } from './dates.ts';
import type { Agency, Material } from './material.ts';
import type { Section, Table } from './view.ts';
import { capital, DASH, NOT_KEPT } from './words.ts';

const ANSWERS: Readonly<Record<Agency['outcome'], string>> = {
  ok: 'Found a file',
  'no-trace': 'Found nobody with these details',
  unavailable: 'Did not answer',
};

export function addressLine(address: UkAddress): string {
  const { subBuildingName, buildingName, buildingNumber, thoroughfare, district, townOrCity, postcode } = address;
  const street = [buildingNumber, thoroughfare].filter(Boolean).join(' ');
  return [subBuildingName, buildingName, street, district, townOrCity, postcode].filter(Boolean).join(', ');
}

/** From what is signed, so that the pages are a picture of it. */
const searchedWith = ({ kept, request }: Material['completed']): SearchedWith => kept?.provenance.searched ?? request;

/** The name as it was given, with a middle name that the report's person has not. */
function givenName({ completed }: Pick<Material, 'completed'>): string {
  const { title, firstName, middleName, lastName } = searchedWith(completed);
  return [title, firstName, middleName, lastName].filter(Boolean).join(' ');
}

function detailsTable(material: Material): Table {
  const { addresses, dateOfBirth } = searchedWith(material.completed);
  return {
    kind: 'table',
    caption: 'Details used for the search',
    columns: [column('Searched with', 0.22), column('As given', 0.78)],
    rows: [
      row(['Name', givenName(material)]),
      row(['Date of birth', longDay(dateOfBirth)]),
      ...addresses.map(({ type, ukAddress }) => row([`${capital(type)} address`, addressLine(ukAddress)])),
    ],
  };
}

function answeredAt({ answeredAt: at, outcome }: Agency, isKept: boolean): string {
  if (outcome === 'unavailable') return DASH;
  if (at === null) return isKept ? DASH : NOT_KEPT;
  const { day, seconds } = atLondon(at);
  return `${longDay(day)}, ${seconds}`;
}

function agenciesTable({ agencies, completed }: Material): Table {
  return {
    kind: 'table',
    caption: 'Agencies asked',
    columns: [
      column('Agency asked', 0.22),
      column('Answer', 0.38),
      column('Accounts', 0.14, 'end'),
      column('Answered (UK time)', 0.26, 'end'),
    ],
    rows: agencies.map((agency) => ({
      cells: [
        agency.name,
        ANSWERS[agency.outcome],
        agency.accounts === null ? DASH : agency.accounts.toLocaleString('en-GB'),
        answeredAt(agency, completed.kept !== null),
      ],
      mark: agency.outcome === 'ok' ? null : 'attention',
    })),
  };
}

export const coverageSection = (material: Material): Section => ({
  id: 'searched',
  title: 'Who was searched, and where',
  blocks: [detailsTable(material), agenciesTable(material)],
});
