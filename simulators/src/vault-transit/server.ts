// Vault with its transit engine as an HTTP server. Tests of a client start it alone with `startVaultTransit`.
import { CREDENTIALS } from '../credentials.ts';
import { type KeyServerOptions, type RunningKeyServer, startKeyServer } from '../key-wire/server.ts';
import { KeyRing } from './key-ring.ts';
import { Tokens, type TokenTimes, type VaultCredentials } from './tokens.ts';
import { VaultWire } from './wire.ts';

export type VaultTransitOptions = KeyServerOptions &
  Partial<TokenTimes> & {
    /** Where the keys are kept; in memory alone when it is absent. */
    readonly stateFile?: string | undefined;
    /** The one caller; by default `CREDENTIALS['vault-transit']`. */
    readonly credentials?: VaultCredentials;
  };

export function startVaultTransit(options: VaultTransitOptions): Promise<RunningKeyServer> {
  const { stateFile, credentials = CREDENTIALS['vault-transit'] } = options;
  const { ttlSeconds = 3600, maxTtlSeconds = 14_400 } = options;
  const tokens = new Tokens(credentials, { ttlSeconds, maxTtlSeconds });
  return startKeyServer(new VaultWire(new KeyRing(stateFile), tokens), options);
}
