// How many parameters a query or a form may have. We count the separators before any parser runs: a parser, ours or a
// library's, may cost far more than the bytes suggest (docs/decisions/0144-bound-before-detail.md).
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';

/** No honest request has half as many. */
const PARAMETERS_MAX = 100;

/** Throws when there are too many; `path` says where they are. */
export function requireFewParameters(text: string, path: '/query' | ''): void {
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    count += 1;
    if (count <= PARAMETERS_MAX) continue;
    const message = `Send at most ${PARAMETERS_MAX} parameters.`;
    const sentence = `The ${path === '' ? 'form' : 'query'} has too many parameters.`;
    throw new ServiceError('validation-error', sentence, { details: [{ path, message }] });
  }
}

/** For every route, the OAuth library's included. An unknown address counts nothing. */
export function limitQueries(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ url }) => {
    const query = url.indexOf('?');
    if (query !== -1) requireFewParameters(url.slice(query + 1), '/query');
  });
}

/** The only parser for forms. `read` gets the text once its parameters are few enough. */
export function takeForms(scope: FastifyInstance, bodyLimit: number, read: (text: string) => unknown): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    async (_request: unknown, body: string | Buffer) => {
      const text = String(body);
      requireFewParameters(text, '');
      return read(text);
    },
  );
}
