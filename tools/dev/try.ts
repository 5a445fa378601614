// A guided tour for a new user: one completed report and one whole OTP flow against the server of "npm run dev",
// with each request and its answer.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createTrefoil, type GenerateRequest, TrefoilError, TrefoilNoAnswerError } from '@trefoil/sdk';

const HELP = `Usage: npm run try [-- options]

Walks through a completed test report and a finished OTP flow, showing every step. Without options it uses the server
that "npm run dev" has running.

  --base-url <url>  --tenant <id>  --client-id <id>  --client-secret <secret>
  --help            this text`;

const DEMO_FILE = fileURLToPath(new URL('../../.trefoil/demo.json', import.meta.url));

const consumer: GenerateRequest = {
  test: true,
  sessionId: 'demo-session',
  bureaus: ['equifax', 'experian', 'transunion'],
  ipAddress: '192.0.2.10',
  searchType: 'pcp',
  title: 'Ms',
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  email: 'test002@example.com',
  mobileNumber: '+447700900123',
  addresses: [
    {
      type: 'current',
      ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
    },
  ],
};

type Demo = { baseUrl: string; tenantId: string; testClientId: string; testClientSecret: string };
type Server = { baseUrl: string; tenantId: string; clientId: string; clientSecret: string };

/** Shows a step and runs it. A report is long, so only its outline is shown. */
async function step<T extends { data: object }>(title: string, request: string, call: () => Promise<T>): Promise<T> {
  const response = await call();
  const { creditReport, ...data } = response.data as { creditReport?: { consumerData: { records: object[] } } };
  const outline = creditReport && { creditReport: `${creditReport.consumerData.records.length} account record(s)` };
  console.log(`\n${title}\n  > ${request}\n  < ${JSON.stringify({ ...data, ...outline })}`);
  return response;
}

async function walk(server: Server): Promise<void> {
  const trefoil = createTrefoil(server);
  await trefoil.getToken();
  console.log(`Got an access token for tenant ${server.tenantId} from ${server.baseUrl}.`);

  await step('1. A consumer who needs no challenge', 'POST /{tenantId}/v1/credit-reports', () =>
    trefoil.generate({ ...consumer, challengeOptions: { status: 'allow' } }),
  );
  const { data: challenged } = await step('2. A consumer who is challenged', 'POST /{tenantId}/v1/credit-reports', () =>
    trefoil.generate({ ...consumer, challengeOptions: { status: 'challenge' } }),
  );
  if (challenged.status !== 'authentication-required') throw new Error(`unexpected status ${challenged.status}`);
  const { creditReportId, challenge } = challenged;
  const submit = (code: string) => trefoil.submitOtp(creditReportId, { challengeId: challenge.challengeId, code });
  await step('3. A wrong code', 'POST …/{creditReportId}/otp-challenge  code 000000', () => submit('000000'));
  await step('4. Another message', 'POST …/{creditReportId}/resend-sms', () =>
    trefoil.resendSms(creditReportId, { challengeId: challenge.challengeId }),
  );
  const { data } = await step('5. The right code', 'POST …/{creditReportId}/otp-challenge  code 123456', () =>
    submit('123456'),
  );
  if (data.status !== 'complete') throw new Error(`unexpected status ${data.status}`);
  console.log(`\nThe report of step 5, whole:\n${JSON.stringify(data.creditReport, null, 2)}`);
  console.log(`\nDone: two completed reports, one of them through an OTP flow. Next: ${server.baseUrl}/docs`);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        'base-url': { type: 'string' },
        tenant: { type: 'string' },
        'client-id': { type: 'string' },
        'client-secret': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\nnpm run try -- --help explains the options.`);
    return undefined;
  }
}

function explain(error: unknown): unknown {
  if (error instanceof TrefoilError) return `${error.status} ${error.code}: ${error.message}`;
  if (error instanceof TrefoilNoAnswerError) return 'The server does not answer. Is "npm run dev" still running?';
  return error;
}

async function main(): Promise<number> {
  const values = readOptions();
  if (!values) return 2;
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const demo: Partial<Demo> = existsSync(DEMO_FILE) ? JSON.parse(readFileSync(DEMO_FILE, 'utf8')) : {};
  const server = {
    baseUrl: values['base-url'] ?? demo.baseUrl,
    tenantId: values.tenant ?? demo.tenantId,
    clientId: values['client-id'] ?? demo.testClientId,
    clientSecret: values['client-secret'] ?? demo.testClientSecret,
  };
  if (Object.values(server).some((value) => value === undefined)) {
    console.error('No server is running here. Start one with "npm run dev" in another terminal, or see --help.');
    return 2;
  }
  try {
    await walk(server as Server);
    return 0;
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}

process.exitCode = await main();
