// Makes the documents of invented people and of the chosen reports, and measures them. Exit code 1 if a text is missing or
// leaves its page, if the thread delays the event loop beyond the bar, or if a checker of this machine finds a fault.
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Registry } from 'prom-client';
import { PROFILES } from '../../bench/merge/noise.ts';
import type { CompletedReport } from '../../server/src/credit-reports/reading/completed-report.ts';
import { createDocumentMetrics } from '../../server/src/documents/document-metrics.ts';
import { paintHtml } from '../../server/src/documents/html/paint-html.ts';
import { createPainter } from '../../server/src/documents/painter.ts';
import { paintPdf } from '../../server/src/documents/pdf/paint-pdf.ts';
import { buildView } from '../../server/src/documents/view/build-view.ts';
import { createLog } from '../../server/src/lib/log.ts';
import { CASES } from './cases.ts';
import { inventedEvidence } from './evidence.ts';
import { FAULTS } from './faults.ts';
import { watchingOverflow } from './overflow.ts';
import { completedPerson } from './people.ts';
import { FAULTY, textsOf } from './texts.ts';

const USAGE = `npm run documents -- --out DIR [options]
  --people N   people, of the three profiles in turn (20)
  --check      runs qpdf --check on every PDF and pdfinfo -struct-text on two; needs qpdf and poppler-utils
  --faults     also writes six PDFs with one planted fault each, for a checker of PDF/UA-1 and PDF/A-3a`;

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '20' },
    out: { type: 'string' },
    check: { type: 'boolean', default: false },
    faults: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const people = Number(values.people);
if (values.help || values.out === undefined || !Number.isSafeInteger(people) || people < 1) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(values.help ? 0 : 2);
}
const out = values.out;
mkdirSync(out, { recursive: true });

const failures: string[] = [];
const say = (line: string) => process.stdout.write(`${line}\n`);

function quantile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

type Subject = { readonly name: string; readonly completed: CompletedReport };

const subjects: Subject[] = [
  ...Object.entries(CASES).map(([name, make]) => ({ name: `case-${name}`, completed: make() })),
  ...Array.from({ length: people }, (_, index) => {
    const profile = PROFILES[index % PROFILES.length] ?? 'standard';
    return { name: `${profile}-${String(index).padStart(4, '0')}`, completed: completedPerson(profile, index) };
  }),
];

/** Texts of the view and of the painted page that say nothing, and texts of the PDF outside the page. */
async function findFaultyText({ name, completed }: Subject): Promise<void> {
  const evidence = inventedEvidence(completed);
  for (const medium of ['pdf', 'page'] as const) {
    const view = buildView(completed, evidence, medium);
    const html = medium === 'page' ? paintHtml(view).split('\n') : [];
    const wrong = [...textsOf(view), ...html].filter((text) => FAULTY.test(text));
    for (const text of wrong) failures.push(`${name}: ${medium} says ${text.slice(0, 80)}`);
  }
  const beyond: string[] = [];
  await paintPdf(buildView(completed, evidence, 'pdf'), [], watchingOverflow(beyond));
  for (const text of beyond) failures.push(`${name}: leaves its page: ${text.slice(0, 80)}`);
}

const painter = createPainter({ log: createLog('error'), metrics: createDocumentMetrics(new Registry()) });
await painter.warmUp();

/** The event loop of this thread, while the worker paints or while nothing happens. */
async function delayWhile(work: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.percentile(99) / 1e6;
}

async function paintAll(format: 'pdf' | 'html') {
  const [times, sizes]: [number[], number[]] = [[], []];
  const painted: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  const run = async () => {
    for (const { name, completed } of subjects) {
      const evidence = inventedEvidence(completed);
      const startedAt = performance.now();
      const bytes = await painter.withPlace(name, (paint) => paint({ completed, evidence, format }));
      times.push(performance.now() - startedAt);
      sizes.push(bytes.byteLength);
      painted.push({ name, bytes });
    }
  };
  const delayMs = await delayWhile(run);
  // Afterwards: writing files delays the loop as well.
  for (const { name, bytes } of painted) writeFileSync(join(out, `${name}.${format}`), bytes);
  const part = (list: number[], at: number, unit: number) => (quantile(list, at) / unit).toFixed(1);
  say(
    `${format}: ${subjects.length} documents, p50 ${part(times, 0.5, 1)} ms, p99 ${part(times, 0.99, 1)} ms; size p50 ${part(sizes, 0.5, 1_024)} KiB, p99 ${part(sizes, 0.99, 1_024)} KiB; event-loop delay p99 ${delayMs.toFixed(1)} ms`,
  );
  return { delayMs, timeMs: times.reduce((sum, each) => sum + each, 0) };
}

const BAR_DOCUMENTS_MIN = 200;

/** pdfinfo takes seconds for a structure of four pages and minutes for one of forty: it reads two short ones. */
const STRUCTURE_BYTES_MAX = 90_000;
const STRUCTURE_MAX = 2;

/** The output of the checker; undefined, and a failure, if it finds a fault. */
function runChecker(name: string, command: string, options: readonly string[]): string | undefined {
  try {
    return execFileSync(command, [...options, join(out, `${name}.pdf`)], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : `${command} failed`}`);
    return undefined;
  }
}

function checkStructure(name: string): void {
  const tree = runChecker(name, 'pdfinfo', ['-struct-text']);
  if (tree === undefined) return;
  for (const tag of ['Document', 'H1', 'H2', 'Table', 'TH']) {
    if (!new RegExp(`^\\s*${tag}\\b`, 'm').test(tree)) failures.push(`${name}: pdfinfo finds no ${tag}`);
  }
  if (!tree.includes('Credit agreements report')) failures.push(`${name}: pdfinfo does not read the title`);
}

for (const subject of subjects) await findFaultyText(subject);
for (const format of ['html', 'pdf'] as const) {
  const { delayMs, timeMs } = await paintAll(format);
  // Right afterwards, so that a busy machine is as busy; a timer keeps the loop turning as it does while it waits.
  const idleMs = await delayWhile(async () => {
    const until = performance.now() + Math.max(1_000, Math.min(10_000, timeMs));
    while (performance.now() < until) await setTimeout(20);
  });
  const barMs = 3 * idleMs + 5;
  say(`${format}: event-loop delay p99 idle ${idleMs.toFixed(1)} ms, so the bar is ${barMs.toFixed(1)} ms`);
  // A few documents are over before the figure means anything.
  if (subjects.length < BAR_DOCUMENTS_MIN) {
    say(`${format}: the bar was not judged: that takes at least ${BAR_DOCUMENTS_MIN} documents`);
  } else if (delayMs > barMs) {
    failures.push(`painting ${format} delays the event loop beyond the bar`);
  }
}
await painter.close();

if (values.faults) {
  const completed = CASES['ordinary']?.() ?? completedPerson('standard', 1);
  const evidence = inventedEvidence(completed);
  for (const [name, makeDocument] of Object.entries(FAULTS)) {
    const bytes = await paintPdf(buildView(completed, evidence, 'pdf'), evidence?.files, makeDocument);
    writeFileSync(join(out, `fault-${name}.pdf`), bytes);
  }
  say(`wrote ${Object.keys(FAULTS).length} PDFs with a planted fault`);
}
if (values.check) {
  for (const { name } of subjects) runChecker(name, 'qpdf', ['--check']);
  const short = subjects.filter(({ name }) => statSync(join(out, `${name}.pdf`)).size < STRUCTURE_BYTES_MAX);
  const read = short.slice(-STRUCTURE_MAX);
  for (const { name } of read) checkStructure(name);
  say(`qpdf checked ${subjects.length} PDFs; pdfinfo read the structure of ${read.length}`);
}
for (const failure of failures.slice(0, 50)) say(`failed: ${failure}`);
say(failures.length === 0 ? 'every document is whole' : `${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
