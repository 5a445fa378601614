// The three key services for journeys: a folder of files, and the simulators of AWS KMS and of Vault's Transit engine over
// real HTTP, which another author wrote.
import { renameSync } from 'node:fs';
import { startAwsKms } from '../../../simulators/src/aws-kms/server.ts';
import { CREDENTIALS } from '../../../simulators/src/credentials.ts';
import { startVaultTransit } from '../../../simulators/src/vault-transit/server.ts';
import type { KeyServiceKind } from '../../src/keys/port.ts';
import { makeMonthKeyFolder } from './month-keys.ts';

export type StartedKeyService = {
  readonly kind: KeyServiceKind;
  readonly environment: Record<string, string>;
  /** It does not answer until it is brought back. */
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
  close(): Promise<void>;
};

/** One that is away refuses at once: nothing waits for the limit. */
const PATIENT = { timeoutMs: 10_000 };

function overHttp(kind: KeyServiceKind, settings: object, { url, close }: { url: string; close(): Promise<void> }) {
  const control = (method: string, body?: object) =>
    fetch(`${url}/control`, { method, ...(body && { body: JSON.stringify(body) }) });
  return {
    kind,
    environment: { TREFOIL_KEY_SERVICE: JSON.stringify({ kind, ...settings, ...PATIENT }) },
    takeAway: async () => {
      await control('POST', { match: { any: true }, behaviour: 'reset' });
    },
    bringBack: async () => {
      await control('DELETE');
    },
    close,
  };
}

export const KEY_SERVICE_STARTS: readonly (readonly [KeyServiceKind, () => Promise<StartedKeyService>])[] = [
  [
    'file',
    async () => {
      const { folder, environment, remove } = makeMonthKeyFolder();
      return {
        ...{ kind: 'file', environment },
        takeAway: async () => renameSync(folder, `${folder}-away`),
        bringBack: async () => renameSync(`${folder}-away`, folder),
        close: async () => remove(),
      };
    },
  ],
  [
    'aws-kms',
    async () => {
      const kms = await startAwsKms({ port: 0 });
      const { region, accessKeyId, secretAccessKey } = CREDENTIALS['aws-kms'];
      return overHttp('aws-kms', { region, endpoint: kms.url, accessKeyId, secretAccessKey }, kms);
    },
  ],
  [
    'vault-transit',
    async () => {
      const transit = await startVaultTransit({ port: 0 });
      const { token } = CREDENTIALS['vault-transit'];
      return overHttp('vault-transit', { address: transit.url, token }, transit);
    },
  ],
];
