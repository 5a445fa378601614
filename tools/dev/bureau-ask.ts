// For debugging a match: the three raw files of one invented person beside the resulting report, and why.
import { parseArgs } from 'node:util';
import { Refusal } from '../../server/src/cli/command.ts';
import { type ExplainedPair, type ExplainedRecord, explainReport } from '../../server/src/merge/explain-report.ts';
import { type AskedBureau, askSimulators, type SimulatorAddresses, startSimulators } from './ask-simulators.ts';

const HELP = `Usage: npm run -s bureau-ask -- --person person-0001 [options]

Shows three raw simulated files beside the report they become, and why. For people who check a match. It asks only the
simulators of this repository: an address off this machine is refused. People are person-0001 to person-1000000.

  --person <id>        one of the invented people
  --simulators <json>  what "npm run simulators -- --bureau all --port 0 --json" printed, if they run already;
                       without it the simulators are started, and stopped again
  --json               print the same as one JSON object
  --help               this text`;

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

/** Sentences for people, and the same as data for programs. */
export async function askBureaus(person: string, given?: SimulatorAddresses): Promise<{ text: string; data: object }> {
  const started = given ? undefined : await startSimulators();
  const addresses = given ?? started?.addresses;
  try {
    if (!addresses) throw new Refusal('There are no simulators to ask.');
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
    await started?.stop();
  }
}

const OPTIONS = {
  person: { type: 'string' },
  simulators: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

async function run(): Promise<void> {
  const { person, simulators, json, help } = parseArgs({ options: OPTIONS }).values;
  if (help) return console.log(HELP);
  if (person === undefined) throw new Refusal('Name one of the invented people: --person person-0001.');
  const { text, data } = await askBureaus(person, simulators === undefined ? undefined : JSON.parse(simulators));
  console.log(json ? JSON.stringify(data, null, 2) : text);
}

if (import.meta.main) {
  try {
    await run();
  } catch (error) {
    console.error(`${(error as Error).message}\nnpm run -s bureau-ask -- --help explains the options.`);
    process.exitCode = 1;
  }
}
