// Run in a folder that has nothing but the packed library: a test report, a code, a list and a webhook.
import { readFile } from 'node:fs/promises';
import { createTrefoil, match, TrefoilError, webhooks } from '@trefoil/sdk';

const { baseUrl, tenantId, clientId, clientSecret } = JSON.parse(await readFile('settings.json', 'utf8'));
const trefoil = createTrefoil({ baseUrl, tenantId, clientId, clientSecret });
const request = {
  test: true,
  sessionId: 'test-session',
  bureaus: ['equifax', 'experian', 'transunion'],
  ipAddress: '192.0.2.10',
  searchType: 'pcp',
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  addresses: [
    {
      type: 'current',
      ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
    },
  ],
};
const stop = ({ kind }) => {
  throw new Error(`the test report ended as ${kind}`);
};
const report = ({ creditReport }) => creditReport.consumerData.records.length;

const challenged = await trefoil.generate({ ...request, challengeOptions: { status: 'challenge' } });
const open = match(challenged, {
  traced: stop,
  'partly-traced': stop,
  'not-traced': stop,
  'authentication-required': (outcome) => outcome,
  blocked: stop,
  failed: stop,
});
const submitted = await trefoil.submitOtp(open.creditReportId, { challengeId: open.challengeId, code: '123456' });
const records = match(submitted, {
  traced: report,
  'partly-traced': stop,
  'not-traced': stop,
  retry: stop,
  failed: stop,
});

const ids = [];
for await (const { creditReportId } of trefoil.listReports({ limit: 1 })) ids.push(creditReportId);
if (!ids.includes(open.creditReportId)) throw new Error('the list lacks the report');

const refusal = await trefoil.getReport('01998a3e-7c11-7d22-8a33-4b5c6d7e8f90').catch((error) => error);
if (!(refusal instanceof TrefoilError) || !refusal.is('credit-report-not-found') || !refusal.requestId) throw refusal;

const secret = `whsec_${btoa('a signing secret of 32 bytes !!!')}`;
const body = JSON.stringify({ id: 'evt_1', type: 'credit-report.completed' });
await webhooks.unwrap(body, await webhooks.sign(body, { id: 'evt_1', secret }), secret);

console.log(`complete with ${records} records on Node ${process.version}`);
