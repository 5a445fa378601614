// What a document is made from, read once from the complete report and handed to every part.
import type { AccountRecord, AccountType, Bureau, BureauResult, CreditReport } from '@trefoil/contract';
import type { CompletedReport } from '../../credit-reports/reading/completed-report.ts';
import type { ProvenanceRecord, ProvenanceSource } from '../../merge/provenance.ts';
import { atLondon, longDay, sixYearsBefore } from './dates.ts';
import { AGENCIES, AGENCY_NAMES, CAR_FINANCE, list } from './words.ts';

export type Agency = {
  readonly id: Bureau;
  readonly name: string;
  readonly outcome: BureauResult['outcome'];
  /** Accounts in its file; null without a file. */
  readonly accounts: number | null;
  readonly answeredAt: Date | null;
};

export type Account = {
  readonly record: AccountRecord;
  /** What each agency said; null if it was not kept. */
  readonly sources: readonly ProvenanceSource[] | null;
  readonly lender: ProvenanceRecord['lender'];
};

export type Material = {
  readonly completed: CompletedReport;
  readonly report: CreditReport;
  /** Agencies asked, in the order of every document. */
  readonly agencies: readonly Agency[];
  /** Those with a file. */
  readonly found: readonly Agency[];
  readonly carFinance: readonly Account[];
  readonly others: readonly Account[];
  /** How many accounts the report has; a document may list fewer. */
  readonly accountsInAll: number;
  readonly carFinanceInAll: number;
  readonly day: string;
  readonly time: string;
  /** Agreements that ended before this day have normally left the files. */
  readonly limitDay: string;
  readonly limitWords: string;
};

function toAgency({ bureau, outcome }: BureauResult, { completed, report }: Pick<Material, 'completed' | 'report'>) {
  const reply = completed.kept?.provenance.bureaus.find((each) => each.bureau === bureau);
  const listed = report.consumerData.records.flatMap((record) => record.bureaus).filter(({ id }) => id === bureau);
  return {
    ...{ id: bureau, name: AGENCY_NAMES[bureau], outcome },
    // Every row of a file is in exactly one record, so the references of the records count them.
    accounts: outcome === 'ok' ? (reply?.accounts ?? listed.length) : null,
    answeredAt: reply?.answeredAt ? new Date(reply.answeredAt) : null,
  };
}

/**
 * The kinds that the agencies name; the merged line has only one of them. `other` is no kind beside another. The merged kind
 * alone if it was not kept what they said.
 */
export function kindsOf({ record, sources }: Account): readonly AccountType[] {
  const told = [record.accountType, ...(sources ?? []).map(({ accountType }) => accountType)];
  const kinds = [...new Set(told)].filter((kind) => kind !== 'other');
  return kinds.length > 0 ? kinds : ['other'];
}

/** One agency that says so is enough: a document that called it something else would hide a claim. */
const isCarFinance = (account: Account) => kindsOf(account).some((kind) => CAR_FINANCE.has(kind));

/** `accountsMax`: as many accounts as the document lists, car finance first. */
export function toMaterial(completed: CompletedReport, accountsMax: number): Material {
  const report = JSON.parse(completed.reportText) as CreditReport;
  const kept = completed.kept?.provenance.records;
  const accounts = report.consumerData.records.map((record, place): Account => {
    const said = kept?.[place];
    return { record, sources: said?.sources ?? null, lender: said?.lender ?? null };
  });
  const carFinance = accounts.filter(isCarFinance);
  const others = accounts.filter((account) => !isCarFinance(account));
  const agencies = completed.bureauResults
    .map((result) => toAgency(result, { completed, report }))
    .toSorted((a, b) => AGENCIES.indexOf(a.id) - AGENCIES.indexOf(b.id));
  const { day, time } = atLondon(completed.completedAt);
  const limitDay = sixYearsBefore(day);
  return {
    ...{ completed, report, agencies },
    found: agencies.filter(({ outcome }) => outcome === 'ok'),
    carFinance: carFinance.slice(0, accountsMax),
    others: others.slice(0, Math.max(0, accountsMax - carFinance.length)),
    accountsInAll: accounts.length,
    carFinanceInAll: carFinance.length,
    ...{ day, time, limitDay, limitWords: longDay(limitDay) },
  };
}

/** Names of the agencies that report an account; one word where every agency asked does. */
export function reportedBy({ record }: Account, { agencies }: Pick<Material, 'agencies'>): string {
  const by = agencies.filter(({ id }) => record.bureaus.some((each) => each.id === id));
  if (by.length === agencies.length && by.length > 1) return by.length === 2 ? 'both' : 'all three';
  return list(by.map(({ name }) => name));
}

/** The last digits that may be shown; null if none may. */
export const numberEnd = ({ accountNumber }: AccountRecord): string | null =>
  accountNumber?.replace(/^\*+/, '') || null;
