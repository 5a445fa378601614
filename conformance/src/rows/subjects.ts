// A consumer's rights: promises of our own (decisions 261 and 262). An erasure needs a person's second factor, so the kit asks
// only for refusals of it. The kit's credential may lack the scope: then the search itself must say so.
import { randomUUID } from 'node:crypto';
import { dig, digList, equal, fits, same } from '../expect.ts';
import { generate } from '../journey.ts';
import { dataOf, hasScope, invalid, metaOf, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import { addressEntry } from '../sample.ts';
import type { Api, Reply } from '../session.ts';
import { absent, count, exactly, instant, list, object, text, uuid } from '../shape.ts';

type Person = { firstName: string; lastName: string; dateOfBirth: string; postcode: string };

/** Of this run alone, so that the search finds what this row has made. */
function newPerson(): Person {
  const letters = randomUUID().replace(/[^a-f]/g, '');
  return { firstName: 'Zoë-Ann', lastName: `Conform${letters}`, dateOfBirth: '1984-03-09', postcode: 'HR10 2AB' };
}

const ask = (api: Api, action: string, body: object): Promise<Reply> =>
  api.send({ method: 'POST', path: `/${api.tenantId}/v1/subjects/${action}`, body });

const mayAsk = (reply: Reply) => hasScope(reply, 'subjects:write');

const report = object({ creditReportId: uuid, status: exactly('complete'), test: exactly(true), createdAt: instant });

export const subjectRows: readonly Row[] = [
  {
    id: 'subjects/find',
    title:
      'a report is found by name, birth date and postcode, whatever case, accents, spaces and hyphens; by others it is not',
    pins: 'Our decision 261',
    run: async ({ api }) => {
      const { postcode, ...names } = newPerson();
      const { creditReportId } = dataOf(await generate(api, { ...names, addresses: [addressEntry({ postcode })] }));
      const found = await ask(api, 'find', { ...names, postcode });
      if (!mayAsk(found)) return;
      fits('meta', metaOf(found), object({ request: object({ timeTakenMs: count }), wallet: absent }));
      fits('data', dataOf(found), object({ total: exactly(1), reports: list(report) }));
      equal('creditReportId', dig(digList(dataOf(found), 'reports')[0], 'creditReportId'), creditReportId);
      const spelled = { ...names, firstName: 'zoe ann', lastName: names.lastName.toUpperCase(), postcode: 'hr102ab' };
      same('another spelling', dataOf(await ask(api, 'find', spelled)), dataOf(found));
      for (const change of [{ firstName: 'Zora' }, { dateOfBirth: '1984-03-10' }, { postcode: 'HR10 2AD' }]) {
        equal('total', dataOf(await ask(api, 'find', { ...names, postcode, ...change }))['total'], 0);
      }
    },
  },
  {
    id: 'subjects/export',
    title: 'an export has the request and the report as they were given; of nobody it has nothing',
    pins: 'Our decision 261',
    run: async ({ api }) => {
      const { postcode, ...names } = newPerson();
      const generated = dataOf(await generate(api, { ...names, addresses: [addressEntry({ postcode })] }));
      const exported = await ask(api, 'export', { ...names, postcode });
      if (!mayAsk(exported)) return;
      const [held] = digList(dataOf(exported), 'reports');
      equal('nextCursor', dataOf(exported)['nextCursor'], null);
      equal('lastName of the request', dig(held, 'request.lastName'), names.lastName);
      same('the report', dig(held, 'creditReport'), generated['creditReport']);
      const course = {
        settledAt: instant,
        failureReason: exactly(null),
        screeningReasons: list(text),
        challenge: exactly(null),
      };
      fits('what became of it', held, object(course));
      const nobody = dataOf(await ask(api, 'export', { ...newPerson() }));
      same('of nobody', nobody, { total: 0, reports: [], nextCursor: null });
    },
  },
  {
    id: 'subjects/refusals',
    title: '400 at each missing field; 403 for an erasure with API credentials; 401 without a token',
    pins: 'Our decisions 130 and 262',
    run: async ({ api }) => {
      refused(await ask(api, 'erase', newPerson()), 403, 'forbidden');
      for (const action of ['find', 'export', 'export-document', 'erase']) {
        const path = `/${api.tenantId}/v1/subjects/${action}`;
        refused(await api.send({ method: 'POST', path, body: newPerson(), authorization: null }), 401, 'unauthorized');
      }
      const empty = await ask(api, 'find', {});
      if (mayAsk(empty)) invalid(empty, '/firstName', '/lastName', '/dateOfBirth', '/postcode');
    },
  },
];
