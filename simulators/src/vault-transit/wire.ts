// The wire of Vault: which endpoint, with which token, what a test's rule makes of it.
import type { Behaviours } from '../behaviours.ts';
import { BadRule } from '../control.ts';
import type { Seen } from '../key-wire/control.ts';
import { barePage, json, type KeyCall, type KeyWire, statusOf } from '../key-wire/wire.ts';
import type { Reply } from '../wire.ts';
import { enveloped, errors, invalidToken, joined, permissionDenied, VaultError } from './errors.ts';
import { flag, readFields, text, whole } from './fields.ts';
import { health } from './health.ts';
import { describe, type KeyRing } from './key-ring.ts';
import { lie } from './lie.ts';
import type { Tokens } from './tokens.ts';
import { OPERATIONS } from './transit.ts';

type Endpoint = { readonly action: string; readonly name: string };

const NAME = '(\\w(?:[\\w.-]*\\w)?)';
/** What a path means for a write; for keys the method decides further. */
const PATHS: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/sys\/health$/, 'health'],
  [/^\/v1\/auth\/approle\/login$/, 'login'],
  [/^\/v1\/auth\/token\/renew-self$/, 'renew-self'],
  [new RegExp(`^/v1/transit/keys/${NAME}$`), 'keys'],
  [new RegExp(`^/v1/transit/keys/${NAME}/config$`), 'config'],
  [new RegExp(`^/v1/transit/keys/${NAME}/rotate$`), 'rotate'],
  [new RegExp(`^/v1/transit/encrypt/${NAME}$`), 'encrypt'],
  [new RegExp(`^/v1/transit/decrypt/${NAME}$`), 'decrypt'],
  [new RegExp(`^/v1/transit/rewrap/${NAME}$`), 'rewrap'],
  [new RegExp(`^/v1/transit/datakey/plaintext/${NAME}$`), 'datakey/plaintext'],
  [new RegExp(`^/v1/transit/datakey/wrapped/${NAME}$`), 'datakey/wrapped'],
];

export class VaultWire implements KeyWire {
  readonly #ring: KeyRing;
  readonly #tokens: Tokens;

  constructor(ring: KeyRing, tokens: Tokens) {
    this.#ring = ring;
    this.#tokens = tokens;
  }

  see(call: KeyCall): Seen {
    const { action, name } = endpointOf(call) ?? { action: call.path, name: '' };
    return { action, keys: name === '' ? [] : [name] };
  }

  answer(call: KeyCall, behaviours: Behaviours): Reply {
    const status = statusOf(behaviours);
    if (status !== undefined) return barePage(status);
    try {
      const endpoint = endpointOf(call);
      if (endpoint?.action === 'health') return health(call.method, behaviours.has('sealed'));
      refuseAsTold(behaviours, call.path, endpoint?.action === 'login');
      const reply = this.#act(call, endpoint);
      // The operation is done; only its answer is lost.
      return behaviours.has('lost') ? errors(500, 'internal error') : lie(reply, behaviours);
    } catch (error) {
      if (error instanceof VaultError) return error.reply();
      throw error;
    }
  }

  answerForTests({ method, path, body }: KeyCall): Reply | undefined {
    switch (`${method} ${path}`) {
      case 'GET /control/keys':
        return json(200, { keys: this.#ring.list().map(describe) });
      case 'POST /control/keys': {
        const wish = JSON.parse(body.toString('utf8')) as Readonly<Record<string, unknown>>;
        const { name } = wish;
        if (typeof name !== 'string' || !new RegExp(`^${NAME}$`).test(name)) throw new BadRule('name must be a name');
        if (this.#ring.find(name) !== undefined) throw new BadRule(`there is a key ${name} already`);
        return json(201, describe(this.#ring.create(name, flag(wish, 'derived') ?? false)));
      }
      case 'DELETE /control/tokens':
        this.#tokens.expireAll();
        return json(204, null);
      default:
        return undefined;
    }
  }

  #act(call: KeyCall, endpoint: Endpoint | undefined): Reply {
    const fields = readFields(call.body);
    if (endpoint?.action === 'login') {
      if (!isWrite(call)) throw new VaultError(405, joined('unsupported operation'));
      const auth = this.#tokens.logIn(text(fields, 'role_id'), text(fields, 'secret_id'));
      return enveloped({ auth, mount: 'approle' });
    }
    const token = tokenOf(call);
    this.#tokens.check(token);
    if (endpoint === undefined) throw notFound(call.path);
    const { action, name } = endpoint;
    if (action === 'renew-self')
      return enveloped({ auth: this.#tokens.renew(token ?? '', whole(fields, 'increment')), mount: 'token' });
    if (action === 'read') return this.#read(name);
    const operation = OPERATIONS[action];
    if (operation === undefined) throw new VaultError(405, joined('unsupported operation'));
    const result = operation.run(this.#ring, name, fields);
    if (result === undefined) return json(204, null);
    const ignored = Object.keys(fields).filter((field) => !operation.known.includes(field));
    const warnings = [...(result.warnings ?? [])];
    if (ignored.length > 0)
      warnings.push(`Endpoint ignored these unrecognized parameters: [${ignored.toSorted().join(' ')}]`);
    return enveloped({ ...result, warnings, mount: 'transit' });
  }

  #read(name: string): Reply {
    const key = this.#ring.find(name);
    return key === undefined ? errors(404) : enveloped({ data: describe(key), mount: 'transit' });
  }
}

const isWrite = ({ method }: KeyCall) => method === 'POST' || method === 'PUT';

/** Undefined when the path is none of the simulated ones. */
function endpointOf(call: KeyCall): Endpoint | undefined {
  for (const [pattern, action] of PATHS) {
    const [found, name = ''] = pattern.exec(call.path) ?? [];
    if (found === undefined) continue;
    if (action === 'health' || action === 'login') return { action, name };
    if (action !== 'keys') return { action: isWrite(call) ? action : `${call.method} ${action}`, name };
    if (isWrite(call)) return { action: 'create', name };
    return { action: call.method === 'GET' ? 'read' : call.method.toLowerCase(), name };
  }
  return undefined;
}

function tokenOf({ headers }: KeyCall): string | undefined {
  const [, bearer] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
  return headers['x-vault-token'] ?? bearer;
}

function notFound(path: string): VaultError {
  const route = path.replace(/^\/v1\//, '');
  return route.startsWith('transit/')
    ? new VaultError(404, joined('unsupported path'))
    : new VaultError(404, `no handler for route "${route}". route entry not found.`);
}

/** Nothing is done when one of these is told. */
function refuseAsTold(behaviours: Behaviours, path: string, isLogin: boolean): void {
  if (behaviours.has('sealed')) throw new VaultError(503, 'Vault is sealed');
  if (behaviours.has('throttle'))
    throw new VaultError(429, `request path "${path.replace(/^\/v1\//, '')}": rate limit quota exceeded`);
  // A log-in has no token yet, and nothing but a log-in has a secret ID.
  if (isLogin && behaviours.has('refuse')) throw new VaultError(400, 'invalid role or secret ID');
  if (!isLogin && behaviours.has('expired')) throw invalidToken();
  if (!isLogin && behaviours.has('denied')) throw permissionDenied();
  if (behaviours.has('maintenance')) throw new VaultError(503, 'Vault is not available');
  if (behaviours.has('error')) throw new VaultError(500, 'internal error');
}
