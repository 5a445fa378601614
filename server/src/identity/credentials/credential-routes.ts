// A tenant's API credentials over HTTP: request to use-case, result to envelope.
import type { FastifyInstance } from 'fastify';
import { envelope } from '../../http/envelope.ts';
import { type Gate, registerOperation } from '../../http/operations.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { listCredentials, readCredential } from './list-credentials.ts';
import { addSecret, changeCredential, endSecret, makeCredential, replaceKeys } from './run-credential.ts';

type Params = Readonly<Record<string, string>>;
const idOf = (params: Params) => params['credentialId'] ?? '';

export function registerCredentialRoutes(app: FastifyInstance, gate: Gate, database: Database): void {
  registerOperation(app, gate, 'listCredentials', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await listCredentials(database, caller, query) }, startedAtMs),
  );
  registerOperation(app, gate, 'getCredential', async ({ caller, params, startedAtMs }) =>
    envelope({ data: await readCredential(database, caller, idOf(params)) }, startedAtMs),
  );
  registerOperation(app, gate, 'createCredential', async ({ caller, body, startedAtMs }) =>
    envelope({ data: await makeCredential(database, caller, body) }, startedAtMs),
  );
  registerOperation(app, gate, 'changeCredential', async ({ caller, params, body, startedAtMs }) =>
    envelope({ data: await changeCredential(database, caller, idOf(params), body) }, startedAtMs),
  );
  registerOperation(app, gate, 'addCredentialSecret', async ({ caller, params, body, startedAtMs }) =>
    envelope({ data: await addSecret(database, caller, idOf(params), body.graceSeconds) }, startedAtMs),
  );
  registerOperation(app, gate, 'endCredentialSecret', async ({ caller, params, startedAtMs }) =>
    envelope({ data: await endSecret(database, caller, idOf(params), params['secretId'] ?? '') }, startedAtMs),
  );
  registerOperation(app, gate, 'replaceCredentialKeys', async ({ caller, params, body, startedAtMs }) =>
    envelope({ data: await replaceKeys(database, caller, idOf(params), body.publicKeys) }, startedAtMs),
  );
}
