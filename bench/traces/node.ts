// Two measured API nodes in one process, the second with traces: the real app, with the other companies replaced at their
// adapters by stand-ins that answer at once, so that every span of a report is made. Started by main.ts with the
// settings of each; prints a line when they listen, and for each line that it reads the processor time of the thread that
// runs them, in microseconds.
import { createInterface } from 'node:readline';
import { type App, createApp } from '../../server/src/app.ts';
import { createAskBureaus } from '../../server/src/bureaus/ask-bureaus.ts';
import type { BureauAdapter } from '../../server/src/bureaus/port.ts';
import { loadConfig } from '../../server/src/config.ts';
import { createFetchReport } from '../../server/src/credit-reports/live/fetch-report.ts';
import { keepReport } from '../../server/src/credit-reports/provenance/keep-report.ts';
import { sampleProvenance, sampleReport } from '../speed/sample.ts';

const report = sampleReport();
const reportText = JSON.stringify(report);
const never = async (): Promise<never> => {
  throw new Error('the benchmark sends no messages');
};
const file = { accounts: [], addresses: [], searches: [] } as never;
const bureau: BureauAdapter = {
  ask: async () => ({
    kind: 'ok',
    file,
    warnings: [],
    replySha256: 'ab'.repeat(32),
    answeredAt: new Date().toISOString(),
  }),
};

async function startNode(environment: Record<string, string>): Promise<App> {
  const app = await createApp(loadConfig(environment), {
    ports: {
      screening: { screen: async () => ({ kind: 'allow', reasons: [] }), close: async () => undefined },
      fetchReport: createFetchReport(
        createAskBureaus({ equifax: bureau, experian: bureau, transunion: bureau }),
        async ({ salts }) => keepReport(reportText, sampleProvenance(report, salts.provenance), salts.report),
      ),
      carrier: { name: 'none', send: never, readReceipt: () => ({ kind: 'refused' }), close: async () => undefined },
    },
  });
  app.followLoop();
  await app.listen();
  return app;
}

const apps: App[] = [];
for (const settings of process.argv.slice(2)) apps.push(await startNode(JSON.parse(settings)));
process.stdout.write('listening\n');
createInterface({ input: process.stdin })
  .on('line', () => {
    // Of this thread alone: what helps it, such as collecting garbage, comes in bursts that a second is too short for.
    const { user, system } = process.threadCpuUsage();
    process.stdout.write(`${user + system}\n`);
  })
  // A benchmark that is killed leaves no node behind.
  .on('close', () => process.exit(1));
process.once('SIGTERM', () => {
  Promise.all(apps.map((app) => app.close())).then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
