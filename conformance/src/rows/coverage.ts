// How far the person of a complete report was found, the same wherever the report is answered. An addition of our own
// (decisions 55 and 160); test mode asks no bureau, so that every bureau of the request is ok and the person traced.
import { randomUUID } from 'node:crypto';
import { fits, same } from '../expect.ts';
import { generate, reportsPath, startChallenge, submit } from '../journey.ts';
import { dataOf } from '../replies.ts';
import type { Row } from '../row.ts';
import { RIGHT_CODE } from '../sample.ts';
import type { Api, Reply } from '../session.ts';
import { exactly, filledText, object } from '../shape.ts';

const pins = 'Decisions 55 and 160';
const bureaus = ['transunion', 'equifax'] as const;
const asked = bureaus.map((bureau) => ({ bureau, outcome: 'ok' }));
const traced = object({ coverage: object({ status: exactly('traced'), message: filledText }) });

function tracedIn(reply: Reply): Record<string, unknown> {
  const data = dataOf(reply, 'complete');
  fits('data', data, traced);
  same('data.bureauResults', data['bureauResults'], asked);
  return data;
}

const read = (api: Api, data: Record<string, unknown>): Promise<Reply> =>
  api.send({ path: `${reportsPath(api.tenantId)}/${String(data['creditReportId'])}` });

const key = () => ({ 'idempotency-key': randomUUID() });

export const coverageRows: readonly Row[] = [
  {
    id: 'coverage/generate',
    title:
      'complete from generate: coverage and the result of each bureau asked, the same after a replay and when read',
    pins,
    run: async ({ api }) => {
      const headers = key();
      // A request without records is a clean file here, and says so.
      const changes = { bureaus, email: 'test001@example.com' };
      const given = tracedIn(await generate(api, changes, headers));
      same('the replay', tracedIn(await generate(api, changes, headers)), given);
      same('data.coverage', tracedIn(await read(api, given))['coverage'], given['coverage']);
    },
  },
  {
    id: 'coverage/submit',
    title: 'complete from a code: coverage and the result of each bureau asked, the same after a replay and when read',
    pins,
    run: async ({ api }) => {
      const headers = key();
      const challenge = await startChallenge(api, { bureaus });
      const given = tracedIn(await submit(api, challenge, RIGHT_CODE, headers));
      same('the replay', tracedIn(await submit(api, challenge, RIGHT_CODE, headers)), given);
      same('data.coverage', tracedIn(await read(api, given))['coverage'], given['coverage']);
    },
  },
];
