// A company's settings over HTTP. A change needs a person who has just passed a second factor: the contract states it and
// http/operations.ts enforces it.
import type { FastifyInstance } from 'fastify';
import { envelope } from '../../http/envelope.ts';
import { type Gate, registerOperation } from '../../http/operations.ts';
import {
  changeOwnSettings,
  readRetentionPreview,
  readSettings,
  type SettingsDependencies,
} from './change-own-settings.ts';

export function registerSettingsRoutes(app: FastifyInstance, gate: Gate, dependencies: SettingsDependencies): void {
  registerOperation(app, gate, 'getSettings', async ({ caller, startedAtMs }) =>
    envelope({ data: await readSettings(dependencies, caller.tenantId) }, startedAtMs),
  );
  registerOperation(app, gate, 'changeSettings', async ({ caller, query, body, startedAtMs }) =>
    envelope({ data: await changeOwnSettings(dependencies, caller, body, query.confirm === 'true') }, startedAtMs),
  );
  registerOperation(app, gate, 'previewRetention', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await readRetentionPreview(dependencies, caller, query.retentionDays) }, startedAtMs),
  );
}
