// Prints one wrong report for people: every agreement with its rows, and where the output put them.
import type { LabelledReport } from './generate.ts';
import type { MergeOutput } from './score.ts';

const pounds = (pence: number | null): string => (pence === null ? '-' : (pence / 100).toFixed(2));

function rowLine({ bureau, account }: LabelledReport['rows'][number], record: string): string {
  const { companyName, accountType, accountStatus, accountNumberTail, startDate, endDate } = account;
  const cells = [
    record.padEnd(4),
    bureau.padEnd(10),
    account.ref.padEnd(12),
    companyName.padEnd(40),
    accountType.padEnd(16),
    accountStatus.padEnd(12),
    (accountNumberTail ?? '-').padStart(4),
    (startDate ?? '-').padEnd(10),
    (endDate ?? '-').padEnd(10),
    `n ${account.numberOfPayments ?? '-'}`.padEnd(5),
    `pay ${pounds(account.paymentPence)}`.padEnd(12),
    `start ${pounds(account.startBalancePence)}`.padEnd(16),
    `now ${pounds(account.balancePence)}`.padEnd(14),
    account.balloonPence === null ? '' : `balloon ${pounds(account.balloonPence)}`,
  ];
  return `    ${cells.join(' ').trimEnd()}`;
}

/** Leaves out agreements that the output got exactly right. */
export function explainReport(report: LabelledReport, output: MergeOutput): string {
  const recordOf = new Map<string, number>();
  for (const [record, { members }] of output.records.entries()) {
    for (const { bureau, ref } of members) recordOf.set(`${bureau} ${ref}`, record);
  }
  const placed = report.rows.map((row) => ({ row, record: recordOf.get(`${row.bureau} ${row.account.ref}`) }));
  const lines = [`person ${report.index}`];
  for (const [index, agreement] of report.agreements.entries()) {
    const own = placed.filter(({ row }) => row.label.agreement === index);
    const records = new Set(own.map(({ record }) => record));
    const isShared = placed.some(({ row, record }) => row.label.agreement !== index && records.has(record));
    if (own.length === 0 || (records.size === 1 && !isShared && !records.has(undefined))) continue;
    lines.push(`  agreement ${index}: ${agreement.story}, ${agreement.lender.trading}, number …${agreement.tail}`);
    for (const { row, record } of own) lines.push(rowLine(row, record === undefined ? 'LOST' : `#${record}`));
  }
  return lines.join('\n');
}
