// The key service of the configuration.
import { unreachable } from '../lib/errors.ts';
import { AwsKmsSettings, createAwsKms, kmsAddress } from './aws-kms.ts';
import { createKeyFiles, KeyFilesSettings } from './key-files.ts';
import type { KeyService, KeyServiceKind } from './port.ts';
import { createVaultTransit, VaultTransitSettings } from './vault-transit.ts';

export type KeyServiceSettings = KeyFilesSettings | AwsKmsSettings | VaultTransitSettings;

/** What an operator sets, by kind. */
export const KEY_SERVICE_SCHEMAS = {
  file: KeyFilesSettings,
  'aws-kms': AwsKmsSettings,
  'vault-transit': VaultTransitSettings,
} as const satisfies Record<KeyServiceKind, unknown>;

export function openKeyService(settings: KeyServiceSettings): KeyService {
  switch (settings.kind) {
    case 'file':
      return createKeyFiles(settings);
    case 'aws-kms':
      return createAwsKms(settings);
    case 'vault-transit':
      return createVaultTransit(settings);
    default:
      return unreachable(settings);
  }
}

/** Where calls go to; undefined for files. */
export function keyServiceAddress(settings: KeyServiceSettings): string | undefined {
  if (settings.kind === 'file') return undefined;
  return settings.kind === 'aws-kms' ? kmsAddress(settings) : settings.address;
}
