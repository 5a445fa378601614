// What the three operations share: an answer that can be kept as a reference and rendered again, and sealing and
// opening a report's two encrypted columns.
import type { CreditReport, GenerateRequest, WalletMeta } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { Answer } from '../http/envelope.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import type { Once } from '../idempotency/answer-once.ts';
import type { KeyedRequest } from '../idempotency/claim-keys.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Tx } from '../lib/sql.ts';
import type { DataKey, Vault } from '../lib/vault.ts';
import { findSealedReport } from './store.ts';

export type WithoutReport<Data> = Data extends unknown ? Omit<Data, 'creditReport'> : never;

/** An answer without its report: small, nothing personal, enough to render the same answer again. */
export type Reference<Data> = {
  readonly wallet?: WalletMeta;
  readonly data: WithoutReport<Data>;
  readonly reportOf?: string;
};

export type Rendered<Data> = Answer<WithoutReport<Data>> & { readonly isReplay: boolean };

export function keyedRequest(
  caller: Caller,
  request: IdempotentRequest | undefined,
  body: unknown,
): KeyedRequest | undefined {
  return request && { ...request, tenantId: caller.tenantId, callerId: caller.id, body };
}

export type SealedColumns = {
  readonly dataKey: DataKey;
  readonly sealedRequest: Buffer;
  readonly sealedReport: Buffer | null;
};

async function getSealedColumns(
  tx: Tx,
  vault: Vault,
  tenantId: string,
  creditReportId: string,
): Promise<SealedColumns> {
  const sealed = await findSealedReport(tx, tenantId, creditReportId);
  if (!sealed) throw new ServiceError('credit-report-purged');
  return { ...sealed, dataKey: vault.openDataKey({ tenantId, creditReportId }, sealed.wrapped) };
}

/** A report is written as JSON once; that text is sealed, kept and sent. */
export function sealReport(dataKey: DataKey, report: CreditReport): { reportText: string; sealedReport: Buffer } {
  const reportText = JSON.stringify(report);
  return { reportText, sealedReport: dataKey.seal('report', reportText) };
}

export function sealRequest(dataKey: DataKey, request: GenerateRequest): Buffer {
  return dataKey.seal('request', JSON.stringify(request));
}

export async function openRequest(tx: Tx, vault: Vault, tenantId: string, creditReportId: string) {
  const { dataKey, sealedRequest } = await getSealedColumns(tx, vault, tenantId, creditReportId);
  return { dataKey, request: JSON.parse(dataKey.open('request', sealedRequest)) as GenerateRequest };
}

/** The report's JSON text. */
export async function openReport(tx: Tx, vault: Vault, tenantId: string, creditReportId: string): Promise<string> {
  const { dataKey, sealedReport } = await getSealedColumns(tx, vault, tenantId, creditReportId);
  if (!sealedReport) throw new Error('a complete report has no body');
  return dataKey.open('report', sealedReport);
}

/** Ends an operation inside its transaction. A refusal comes back as a value, so that what it counted is committed. */
export async function render<Data extends object>(
  tx: Tx,
  vault: Vault,
  tenantId: string,
  once: Once<Reference<Data>, string | undefined>,
): Promise<Rendered<Data> | ServiceError> {
  if (once.kind === 'refused') return once.refusal;
  if (once.kind === 'deferred') throw new Error('an answer that comes later cannot be rendered now');
  const { reference } = once;
  const reportText =
    once.kind === 'replayed' && reference.reportOf
      ? await openReport(tx, vault, tenantId, reference.reportOf)
      : once.kind === 'answered'
        ? once.result
        : undefined;
  return { ...withReport<Data>(reference, reportText), isReplay: once.kind === 'replayed' };
}

/** The answer a reference stands for, with its report if it has one. */
export function withReport<Data>(reference: Reference<Data>, reportText: string | undefined): Rendered<Data> {
  return {
    ...(reference.wallet && { wallet: reference.wallet }),
    data: reference.data,
    ...(reference.reportOf && reportText !== undefined && { reportText }),
    isReplay: false,
  };
}

export function orThrow<T>(outcome: T | ServiceError): T {
  if (outcome instanceof ServiceError) throw outcome;
  return outcome;
}
