// Runs every sample of the documents, and the receivers of examples/receivers, against a server of its own: `npm run samples`, or
// `npm run samples -- docs/site/money.md`.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestCredential } from '../dev/seed.ts';
import { type Demo, startDev } from '../dev/start-dev.ts';
import { extractSamples, type Sample } from './extract.ts';
import { checkReceivers } from './receivers.ts';
import { runSample, writeSample } from './run-sample.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const QUICKSTART = 'docs/site/quickstart.md';
/** They tell their readers to use a test-only credential. */
const IN_TEST_MODE = [QUICKSTART, 'sdk/README.md', 'docs/guides/webhooks.md', 'docs/guides/events.md'];
/** Its programs are files beside it. */
const RECEIVERS = 'examples/receivers/README.md';
const DOCUMENTS = ['README.md', 'sdk/README.md', 'docs/site/*.md', 'docs/guides/*.md', RECEIVERS];

const readSamples = (file: string) => extractSamples(file, readFileSync(join(root, file), 'utf8'));

/** TypeScript runs without a check of its types; readers' editors check them. */
function checkTypes(folder: string): string[] {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['*/sample.ts'] }),
  );
  const { status, stdout } = spawnSync('tsc', ['--noEmit', '-p', folder], { cwd: root, encoding: 'utf8' });
  return status === 0 ? [] : [`The TypeScript samples do not pass the type check:\n${stdout}`];
}

/** Begins with the quickstart's first block where the document says so. */
function completeSample(sample: Sample): Sample {
  if (!sample.isWithToken) return sample;
  const begun = readSamples(QUICKSTART).find(({ language }) => language === sample.language);
  if (!begun?.blocks[0]) throw new Error(`${sample.file}: the quickstart gets no token in ${sample.language}`);
  return { ...sample, blocks: [begun.blocks[0], ...sample.blocks] };
}

async function runAll(samples: readonly Sample[], folder: string, hasReceivers: boolean): Promise<string[]> {
  const paths = samples.map((sample, at) => writeSample(sample, join(folder, String(at))));
  const server = await startDev();
  const { baseUrl, tenantId, clientId, clientSecret, testClientId, testClientSecret } = server.demo as Demo &
    TestCredential;
  const environmentOf = (id: string, secret: string) => ({
    ...{ BASE_URL: baseUrl, TENANT_ID: tenantId, CLIENT_ID: id, CLIENT_SECRET: secret },
    // As the client library's page and its command line call them.
    ...{ TREFOIL_BASE_URL: baseUrl, TREFOIL_TENANT_ID: tenantId, TREFOIL_CLIENT_ID: id, TREFOIL_CLIENT_SECRET: secret },
  });
  try {
    const running = samples.map(async (sample, at) => {
      const environment = IN_TEST_MODE.includes(sample.file)
        ? environmentOf(testClientId, testClientSecret)
        : environmentOf(clientId, clientSecret);
      const faults = await runSample(sample, paths[at] ?? '', environment);
      console.log(
        `${faults.length === 0 ? 'ok    ' : 'FAILED'} ${sample.file} (${sample.language}, ${sample.blocks.length} blocks)`,
      );
      return faults;
    });
    const faults = (await Promise.all(running)).flat();
    return [
      ...faults,
      ...(samples.some(({ language }) => language === 'ts') ? checkTypes(folder) : []),
      ...(hasReceivers ? await checkReceivers(server.demo, join(folder, 'receivers')) : []),
    ];
  } finally {
    await server.stop();
  }
}

async function main(files: readonly string[]): Promise<number> {
  const documents = files.length > 0 ? files : globSync(DOCUMENTS, { cwd: root }).toSorted();
  const samples = documents.flatMap(readSamples).map(completeSample);
  const hasReceivers = documents.includes(RECEIVERS);
  if (samples.length === 0 && !hasReceivers) {
    console.error('None of these documents has a sample.');
    return 1;
  }
  // Inside the repository, so that the samples find @trefoil/sdk.
  mkdirSync(join(root, '.trefoil'), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(root, '.trefoil/samples-'));
  try {
    const faults = await runAll(samples, folder, hasReceivers);
    for (const fault of faults) console.error(`\n${fault}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
