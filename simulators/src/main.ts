// Entry: starts one bureau or all three, says where they are, ends on SIGTERM or SIGINT.
import { CREDENTIALS } from './credentials.ts';
import { HELP, parseOptions, type RunOptions } from './options.ts';
import { type RunningBureau, startBureau } from './server.ts';

async function run({ bureaus, port, isJson, ...rest }: RunOptions): Promise<void> {
  const running: RunningBureau[] = [];
  for (const [place, bureau] of bureaus.entries()) {
    running.push(await startBureau({ ...rest, bureau, port: port === 0 ? 0 : port + place }));
  }
  const stop = () => {
    Promise.all(running.map((each) => each.close())).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const addresses = bureaus.map((bureau, place) => [bureau, running[place]?.url] as const);
  if (!isJson) return console.log(addresses.map(([bureau, url]) => `${bureau}  ${url}`).join('\n'));
  const credentials = Object.fromEntries(bureaus.map((bureau) => [bureau, CREDENTIALS[bureau]]));
  console.log(JSON.stringify({ ...Object.fromEntries(addresses), credentials }));
}

const parsed = parseOptions(process.argv.slice(2));
switch (parsed.kind) {
  case 'help':
    process.stdout.write(HELP);
    break;
  case 'wrong':
    process.stderr.write(`${parsed.problem}\nFor help: node simulators/src/main.ts --help\n`);
    process.exitCode = 2;
    break;
  case 'run':
    await run(parsed.options).catch((error: unknown) => {
      process.stderr.write(
        `The simulators could not start: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      process.exitCode = 1;
    });
    break;
}
