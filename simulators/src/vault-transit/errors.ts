// The answers of Vault: the envelope of a result, and errors as a list of sentences.
import { randomUUID } from 'node:crypto';
import { json } from '../key-wire/wire.ts';
import type { Reply } from '../wire.ts';

export class VaultError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  reply(): Reply {
    return errors(this.status, this.message);
  }
}

export const errors = (status: number, ...sentences: readonly string[]): Reply => json(status, { errors: sentences });

/** The form in which Vault joins errors of its own layers. */
export const joined = (...sentences: readonly string[]) =>
  `${sentences.length} error${sentences.length === 1 ? '' : 's'} occurred:\n${sentences.map((each) => `\t* ${each}\n`).join('')}\n`;

export const permissionDenied = () => new VaultError(403, joined('permission denied'));
export const invalidToken = () => new VaultError(403, joined('permission denied', 'invalid token'));

export type Result = {
  readonly data?: object;
  readonly auth?: object;
  readonly warnings?: readonly string[];
  readonly mount: 'transit' | 'approle' | 'token';
};

export const enveloped = ({ data, auth, warnings = [], mount }: Result): Reply =>
  json(200, {
    ...{ request_id: randomUUID(), lease_id: '', renewable: false, lease_duration: 0 },
    ...{ data: data ?? null, wrap_info: null, warnings: warnings.length === 0 ? null : warnings },
    ...{ auth: auth ?? null, mount_type: mount },
  });
