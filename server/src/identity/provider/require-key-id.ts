// An assertion of a credential with several keys must name its key. Without a name the library tries each key in turn, and
// one token costs up to ten times the work (docs/decisions/0184-costly-keys.md).
import { decodeProtectedHeader } from 'jose';
import Provider, { errors } from 'oidc-provider';

function namesKey(assertion: string): boolean {
  try {
    const { kid } = decodeProtectedHeader(assertion);
    return typeof kid === 'string' && kid !== '';
  } catch {
    // Not an assertion at all: the library refuses it.
    return true;
  }
}

/** Runs when the client is looked up, since the library verifies right after that. The error reveals nothing. */
export function requireKeyId(provider: Provider): void {
  const find = provider.Client.find.bind(provider.Client);
  provider.Client.find = async (id) => {
    const client = await find(id);
    const assertion = Provider.ctx?.oidc.params?.['client_assertion'];
    const isOneOfMany = (client?.jwks?.keys.length ?? 0) > 1;
    if (isOneOfMany && typeof assertion === 'string' && !namesKey(assertion)) {
      throw new errors.InvalidClientAuth('the assertion names no key, and the client has several');
    }
    return client;
  };
}
