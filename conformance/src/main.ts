// Entry of the conformance kit: an independent reading of the interface, checked against any address over HTTP.
// It imports nothing of the service, so that a misreading there cannot hide here.
import { HELP, type Options, parseOptions } from './options.ts';
import { isGrave, resultsJson, resultsTable, rowList, totals } from './print.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows/all.ts';
import { describe, runRows } from './runner.ts';
import { Session } from './session.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

const matching = (only: RegExp | undefined): readonly Row[] =>
  only ? ROWS.filter(({ id, title }) => only.test(id) || only.test(title)) : ROWS;

async function check(options: Options): Promise<number> {
  const rows = matching(options.only);
  if (rows.length === 0) return refuse('No row matches --only. See --list.');
  const session = new Session(options.baseUrl, options.credential);
  const other = options.other && new Session(options.baseUrl, options.other);
  for (const each of [session, other]) {
    try {
      await each?.token();
    } catch (error) {
      const which = each === session ? '--client-id' : '--other-client-id';
      return refuse(`No token from ${options.baseUrl} for ${which}: ${describe(error)}.`);
    }
  }
  const results = await runRows(rows, { session, other, slow: options.slow, progress: say });
  console.log(options.json ? resultsJson(results) : resultsTable(results));
  if (results.some(isGrave)) return 3;
  return totals(results).failed === 0 ? 0 : 1;
}

function refuse(problem: string): number {
  say(`${problem}\nFor help: npm run conformance -- --help`);
  return 2;
}

async function main(args: string[]): Promise<number> {
  const parsed = parseOptions(args);
  switch (parsed.kind) {
    case 'help':
      console.log(HELP);
      return 0;
    case 'wrong':
      return refuse(parsed.problem);
    case 'list':
      console.log(rowList(matching(parsed.only), parsed.json));
      return 0;
    case 'run':
      return check(parsed.options);
  }
}

process.exitCode = await main(process.argv.slice(2));
