// For debugging a match: the three raw files of one invented person beside the resulting report, and why.
import { type ExplainedPair, type ExplainedRecord, explainReport } from '../merge/explain-report.ts';
import { type AskedBureau, askSimulators, type SimulatorAddresses, startSimulators } from './ask-simulators.ts';
import { type Answer, defineStandaloneCommand } from './command.ts';
import { json, optional, required, text, UsageError } from './options.ts';

function describeOutcome({ outcome }: AskedBureau): string {
  if (outcome.kind === 'unavailable') return `unavailable (${outcome.reason})`;
  if (outcome.kind === 'no-trace') return 'no trace';
  const count = outcome.warnings.reduce((sum, warning) => sum + warning.count, 0);
  const warnings = count > 0 ? `, ${count} warnings` : '';
  return `${outcome.file.accounts.length} accounts${warnings}`;
}

const heading = (title: string) => `\n${title}\n${'='.repeat(title.length)}`;
const inBits = (weight: number) => `${weight > 0 ? '+' : ''}${(weight / 100).toFixed(1)}`;

function describePair({ rows, total, findings }: ExplainedPair): string {
  const parts = findings.map(({ field, finding, weight }) => `${field}: ${finding} ${inBits(weight)}`);
  return `    ${rows.join(' ~ ')}  ${inBits(total)} bits\n      ${parts.join('; ')}`;
}

function describeRecord({ lender, startDate, rows, why, whyNot }: ExplainedRecord): string {
  return [
    `\n${lender ?? 'no name'}, from ${startDate ?? 'an unknown day'}: ${rows.join(', ')}`,
    rows.length === 1 ? '  alone: no other row fits' : '  one agreement, because',
    ...why.map(describePair),
    ...(whyNot.length > 0 ? ['  kept apart, although near:', ...whyNot.map(describePair)] : []),
  ].join('\n');
}

async function ask(person: string, given: SimulatorAddresses | undefined): Promise<Answer> {
  const started = given ? undefined : await startSimulators();
  const addresses = given ?? started?.addresses;
  if (!addresses) throw new UsageError('There are no simulators to ask.');
  try {
    const { consumer, lenders, asked } = await askSimulators(addresses, person);
    const files = asked.flatMap(({ bureau, outcome }) =>
      outcome.kind === 'ok' ? [{ bureau, file: outcome.file }] : [],
    );
    const { report, records } = explainReport(consumer, files, lenders);
    const sections = [
      ...asked.flatMap((each) => [
        heading(`${each.bureau}, played by ${each.simulator}: ${describeOutcome(each)}`),
        ...each.rawReplies,
      ]),
      heading('merged report'),
      JSON.stringify(report, null, 2),
      heading('why'),
      ...records.map(describeRecord),
    ];
    const bureaus = asked.map(({ bureau, simulator, outcome, rawReplies }) => ({
      bureau,
      simulator,
      outcome: outcome.kind,
      rawReplies,
    }));
    return { text: sections.join('\n').trimStart(), data: { person, bureaus, report, records } };
  } finally {
    started?.child.kill('SIGTERM');
  }
}

export const BUREAU_COMMANDS = [
  defineStandaloneCommand({
    noun: 'bureau',
    verb: 'ask',
    summary: 'Show three raw simulated files beside the report they become, and why.',
    notes:
      'For people who check a match. It asks only the simulators of this repository: an address off this machine is ' +
      'refused. Without --simulators it starts them and stops them again. People are person-0001 to person-1000000.',
    options: {
      person: required(text, 'One of the invented people, such as person-0001.'),
      simulators: optional(
        json,
        'What "npm run simulators -- --bureau all --port 0 --json" printed, if they run already.',
      ),
    },
    example: 'bureau ask --person person-0001',
    runAlone: ({ person, simulators }) => ask(person, simulators as SimulatorAddresses | undefined),
  }),
];
