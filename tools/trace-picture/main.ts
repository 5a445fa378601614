// Makes docs/images/trace.svg: the timeline of one challenged live report, from a run of the real server with simulators.
// Needs PostgreSQL and Redis.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawTrace } from './draw-trace.ts';
import { runReport } from './run-report.ts';

const HELP = `Usage: npm run trace-picture [-- --out <file>]

Runs one challenged live report through a server of its own and draws its trace into docs/images/trace.svg. Look at the picture
before you commit it.`;

const PICTURE = fileURLToPath(new URL('../../docs/images/trace.svg', import.meta.url));

const [option, file] = process.argv.slice(2);
if (option === '--help') console.log(HELP);
else {
  const out = option === '--out' && file !== undefined ? file : PICTURE;
  const spans = await runReport();
  writeFileSync(out, drawTrace(spans));
  console.log(`${spans.length} spans are drawn in ${out}.`);
}
