// AWS KMS as an HTTP server. Tests of a client start it alone with `startAwsKms`.
import { CREDENTIALS } from '../credentials.ts';
import { type KeyServerOptions, type RunningKeyServer, startKeyServer } from '../key-wire/server.ts';
import { KmsKeys } from './keys.ts';
import type { KmsCredentials } from './verify.ts';
import { KmsWire } from './wire.ts';

export type AwsKmsOptions = KeyServerOptions & {
  /** Where the keys are kept; in memory alone when it is absent. */
  readonly stateFile?: string | undefined;
  readonly region?: string;
  /** The one caller; by default `CREDENTIALS['aws-kms']`. */
  readonly credentials?: KmsCredentials;
};

const ACCOUNT = '000000000000';

export function startAwsKms(options: AwsKmsOptions): Promise<RunningKeyServer> {
  const { stateFile, region = CREDENTIALS['aws-kms'].region, credentials = CREDENTIALS['aws-kms'] } = options;
  const keys = new KmsKeys({ region, account: ACCOUNT }, stateFile);
  return startKeyServer(new KmsWire(keys, { credentials, region }), options);
}
