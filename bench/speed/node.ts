// A measured API node in its own process: the real app on the real database, with the three other companies
// replaced at their ports by stand-ins that answer at once. Started by main.ts; prints a line when it listens.
import type { CreditReport } from '@trefoil/contract';
import { createApp } from '../../server/src/app.ts';
import { loadConfig } from '../../server/src/config.ts';
import { keepReport } from '../../server/src/credit-reports/provenance/keep-report.ts';
import { newSalts } from '../../server/src/credit-reports/provenance/report-files.ts';
import { sampleProvenance, sampleReport } from './sample.ts';

const report: CreditReport = sampleReport();
const never = async (): Promise<never> => {
  throw new Error('the benchmark sends no messages');
};

const app = await createApp(loadConfig(), {
  ports: {
    screening: { screen: async () => ({ kind: 'allow', reasons: [] }), close: async () => undefined },
    fetchReport: async (_creditReportId, request) => {
      const salts = newSalts();
      return {
        kind: 'answered',
        ...keepReport(JSON.stringify(report), sampleProvenance(report, salts.provenance), salts.report),
        bureauResults: request.bureaus.map((bureau) => ({ bureau, outcome: 'ok' })),
      };
    },
    carrier: { name: 'none', send: never, readReceipt: () => ({ kind: 'refused' }), close: async () => undefined },
  },
});
app.followLoop();
await app.listen();
process.stdout.write('listening\n');
process.stdin.resume().once('end', () => process.exit(1));
process.once('SIGTERM', () => {
  app.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
