// Car finance: the chart, the list, and a card for each agreement.
import { agencyTable } from './agency-table.ts';
import { column, paragraph, row } from './blocks.ts';
import { longDay, shortDay } from './dates.ts';
import { type Account, kindsOf, type Material, numberEnd, reportedBy } from './material.ts';
import { money, payments } from './money.ts';
import { holderName } from './names.ts';
import { type Span, timelineOf } from './timeline.ts';
import type { Block, Card, Fact, Section, Table } from './view.ts';
import { capital, isRunning, NOT_GIVEN, NOT_KEPT, STATUS_WORDS, TYPE_WORDS } from './words.ts';

export const lenderOf = ({ record }: Account) => record.companyName ?? 'Lender not named';

/**
 * The latest end that an agency gives. None while the agreement runs by its merged status, which is the newest one told: the
 * table of the card has the end that an agency gives for it all the same.
 */
function endOf({ record, sources }: Account): string | null {
  if (isRunning(record.accountStatus)) return null;
  const ends = (sources ?? []).flatMap(({ endDate }) => (endDate === null ? [] : [endDate]));
  return ends.toSorted().at(-1) ?? null;
}

/** From the agency that tells it most precisely. */
function finalPaymentOf({ sources }: Account) {
  const told = (sources ?? []).flatMap(({ balloonPence, moneyStepPence }) =>
    balloonPence === null ? [] : [{ pence: balloonPence, stepPence: moneyStepPence }],
  );
  return told.toSorted((a, b) => a.stepPence - b.stepPence)[0] ?? null;
}

function endWords(account: Account, inDays: (day: string) => string, running: string): string {
  const end = endOf(account);
  if (end !== null) return inDays(end);
  if (isRunning(account.record.accountStatus)) return running;
  return account.sources === null ? NOT_KEPT : NOT_GIVEN;
}

function finalPaymentWords(account: Account): string {
  const told = finalPaymentOf(account);
  if (told !== null) return money(told.pence, told.stepPence);
  return account.sources === null ? NOT_KEPT : 'none reported';
}

function factsOf(account: Account, material: Material): Fact[] {
  const { record } = account;
  const end = numberEnd(record);
  const fact = (label: string, value: string): Fact => ({ label, value });
  return [
    fact('Agreement number', end === null ? NOT_GIVEN : `ends ${end}`),
    fact('Started', record.startDate === null ? NOT_GIVEN : longDay(record.startDate)),
    fact('Ended', endWords(account, longDay, 'still running')),
    fact('Amount of credit', record.startBalance === null ? NOT_GIVEN : money(record.startBalance.amount)),
    fact(
      'Regular payment',
      record.payment === null ? NOT_GIVEN : payments(money(record.payment.amount), record.numberOfPayments),
    ),
    fact('Final payment', finalPaymentWords(account)),
    fact('Balance', record.balance === null ? NOT_GIVEN : money(record.balance.amount)),
    fact('Reported by', reportedBy(account, material)),
  ];
}

function noteOf(account: Account, { report }: Material): string {
  const { record, lender } = account;
  const holder = holderName(record, report.person);
  const suggestsPcp = kindsOf(account).includes('hire-purchase') && (finalPaymentOf(account)?.pence ?? 0) > 0;
  return [
    lender !== null && lender.legal.toLowerCase() !== lenderOf(account).toLowerCase()
      ? `Legal name: ${lender.legal}.`
      : null,
    lender !== null && lender.formerNames.length > 0 ? `Formerly ${lender.formerNames.join(', ')}.` : null,
    holder === null ? 'No agency names the holder of the account.' : `Account in the name of ${holder}.`,
    suggestsPcp ? 'The final payment suggests PCP.' : null,
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

function cardOf(account: Account, place: number, material: Material): Card {
  const { accountStatus } = account.record;
  const kinds = kindsOf(account).map((kind) => TYPE_WORDS[kind].toLowerCase());
  const number = place + 1;
  const table = agencyTable(account, number, material);
  return {
    kind: 'card',
    id: `agreement-${number}`,
    title: `${number}. ${lenderOf(account)}`,
    aside: capital(`${kinds.join(' or ')}, ${STATUS_WORDS[accountStatus].toLowerCase()}`),
    note: noteOf(account, material),
    facts: factsOf(account, material),
    table,
    remark: table === null ? 'What each agency said about this agreement was not kept.' : null,
  };
}

function listTable(material: Material): Table {
  return {
    kind: 'table',
    caption: 'Car finance agreements',
    columns: [
      column('Agreement', 0.3),
      column('Number ends', 0.135),
      column('Started', 0.14),
      column('Ended', 0.14),
      column('Credit', 0.135, 'end'),
      column('Reported by', 0.15),
    ],
    rows: material.carFinance.map((account, place) =>
      row([
        `${place + 1}. ${lenderOf(account)}`,
        numberEnd(account.record) ?? NOT_GIVEN,
        account.record.startDate === null ? NOT_GIVEN : shortDay(account.record.startDate),
        endWords(account, shortDay, 'running'),
        account.record.startBalance === null ? NOT_GIVEN : money(account.record.startBalance.amount),
        reportedBy(account, material),
      ]),
    ),
  };
}

function noneBlocks({ found, limitWords }: Material): Block[] {
  if (found.length === 0) {
    return [
      paragraph('No credit file was found with these details.', 'strong'),
      paragraph(
        'The file may be under another name, or at an address that was not given. See “What no agency can show”.',
      ),
    ];
  }
  return [
    paragraph('No agency that found a file has a hire purchase or lease agreement on it.', 'strong'),
    paragraph(
      `This does not show that there was none: agreements that ended before ${limitWords} have normally left the files, and not every lender reports to every agency. See “What no agency can show”.`,
    ),
  ];
}

function agreementBlocks(material: Material): Block[] {
  const { carFinance, completed } = material;
  const spans = carFinance.map((account, place): Span => {
    const { startDate, accountStatus } = account.record;
    return {
      ...{ number: place + 1, lender: lenderOf(account), from: startDate, to: endOf(account) },
      isRunning: isRunning(accountStatus),
    };
  });
  const { chart, notes } = timelineOf(spans, material);
  const notKept =
    'This report was completed before Trefoil kept what each agency said. It shows one merged line for each agreement. When an agreement ended, its final payment and where agencies differ are not known here.';
  return [
    ...(chart === undefined ? [] : [chart]),
    ...notes,
    ...(completed.kept === null ? [paragraph(notKept, 'strong')] : []),
    listTable(material),
    ...carFinance.map((account, place) => cardOf(account, place, material)),
  ];
}

export const carFinanceSection = (material: Material): Section => ({
  id: 'car-finance',
  title: 'Car finance',
  blocks: material.carFinance.length > 0 ? agreementBlocks(material) : noneBlocks(material),
});
