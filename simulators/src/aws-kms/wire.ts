// The wire of AWS KMS, JSON 1.1: which action, signed by whom, what a test's rule makes of it.
import { amountOf, type Behaviours } from '../behaviours.ts';
import { BadRule } from '../control.ts';
import type { Seen } from '../key-wire/control.ts';
import { barePage, json, type KeyCall, type KeyWire, statusOf } from '../key-wire/wire.ts';
import { plain, type Reply } from '../wire.ts';
import { readBlob } from './ciphertext.ts';
import { DATA_ACTIONS } from './data-actions.ts';
import { KmsError, written } from './errors.ts';
import { readFields } from './fields.ts';
import { describe, KEY_ACTIONS } from './key-actions.ts';
import type { KmsKeys } from './keys.ts';
import { lie } from './lie.ts';
import { type Verifier, verify } from './verify.ts';

const ACTIONS = new Map(Object.entries({ ...KEY_ACTIONS, ...DATA_ACTIONS }));
const TARGET = 'TrentService.';

export class KmsWire implements KeyWire {
  readonly #keys: KmsKeys;
  readonly #verifier: Verifier;

  constructor(keys: KmsKeys, verifier: Verifier) {
    this.#keys = keys;
    this.#verifier = verifier;
  }

  see(call: KeyCall): Seen {
    const fields = tried(() => readFields(call.body)) ?? {};
    const { KeyId, TargetKeyId, SourceKeyId, DestinationKeyId, CiphertextBlob } = fields;
    const named = [KeyId, TargetKeyId, SourceKeyId, DestinationKeyId].filter((each) => typeof each === 'string');
    const ids = named.map((each) => tried(() => this.#keys.get(each).id));
    const sealed = tried(() => readBlob(Buffer.from(String(CiphertextBlob), 'base64')).keyId);
    const keys = [...named, ...ids, sealed].filter((each) => each !== undefined);
    return { action: actionOf(call), keys: [...new Set(keys)] };
  }

  answer(call: KeyCall, behaviours: Behaviours): Reply {
    try {
      if (call.method !== 'POST' || call.path !== '/') return plain(404, 'not here; see simulators/WIRE.md');
      refuseAsTold(behaviours, actionOf(call));
      const status = statusOf(behaviours);
      if (status !== undefined) return barePage(status);
      const aheadMs = (amountOf(behaviours, 'skew', 600) ?? 0) * 1000;
      verify(call, this.#verifier, new Date(Date.now() + aheadMs));
      const result = this.#act(call);
      // The action is done; only its answer is lost.
      if (behaviours.has('lost')) return new KmsError('KMSInternalException').reply();
      return written(200, result === null ? null : lie(result, behaviours));
    } catch (error) {
      if (error instanceof KmsError) return error.reply();
      throw error;
    }
  }

  answerForTests({ method, path, body }: KeyCall): Reply | undefined {
    switch (`${method} ${path}`) {
      case 'GET /control/keys':
        return json(200, { keys: this.#keys.list().map((key) => describe(this.#keys, key)) });
      case 'POST /control/keys': {
        const { alias } = readWish(body);
        if (alias !== undefined && !(typeof alias === 'string' && /^alias\/[\w/-]+$/.test(alias)))
          throw new BadRule('alias must begin with alias/');
        const key = this.#keys.create('made by a test');
        if (alias !== undefined) this.#keys.addAlias(alias, key);
        return json(201, describe(this.#keys, key));
      }
      case 'POST /control/deletions': {
        const { keyId } = readWish(body);
        return json(200, { deleted: this.#keys.finishDeletions(({ id }) => keyId === undefined || keyId === id) });
      }
      default:
        return undefined;
    }
  }

  #act(call: KeyCall): object | null {
    const action = ACTIONS.get(actionOf(call));
    const isJson = /^application\/x-amz-json-1\.1\s*(;|$)/.test(call.headers['content-type'] ?? '');
    if (action === undefined || !isJson) throw new KmsError('UnknownOperationException');
    return action(this.#keys, readFields(call.body));
  }
}

function actionOf({ headers }: KeyCall): string {
  const target = headers['x-amz-target'] ?? '';
  return target.startsWith(TARGET) ? target.slice(TARGET.length) : target;
}

/** Undefined where the wire would answer with an error. */
function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof KmsError) return undefined;
    throw error;
  }
}

/** Nothing is done when one of these is told. */
function refuseAsTold(behaviours: Behaviours, action: string): void {
  if (behaviours.has('throttle')) throw new KmsError('ThrottlingException', 'Rate exceeded');
  if (behaviours.get('refuse') === 'expired')
    throw new KmsError('ExpiredTokenException', 'The security token included in the request is expired');
  if (behaviours.has('refuse'))
    throw new KmsError('UnrecognizedClientException', 'The security token included in the request is invalid.');
  if (behaviours.has('denied'))
    throw new KmsError(
      'AccessDeniedException',
      `User: arn:aws:iam::000000000000:user/simulator is not authorized to perform: kms:${action} because no identity-based policy allows the kms:${action} action`,
    );
  if (behaviours.has('maintenance'))
    throw new KmsError('ServiceUnavailableException', 'Service is unavailable, please try again later');
  const error = behaviours.get('error');
  if (error === '') throw new KmsError('KMSInternalException');
  if (error?.endsWith('Exception')) throw new KmsError(error, 'Told so by a rule.');
}

function readWish(body: Buffer): Readonly<Record<string, unknown>> {
  const wish: unknown = body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  if (typeof wish !== 'object' || wish === null) throw new BadRule('the body must be a JSON object');
  return wish as Readonly<Record<string, unknown>>;
}
