// For the tests beside the code: calls Vault over real HTTP.
import { CREDENTIALS } from '../credentials.ts';

export type VaultAnswer = {
  readonly status: number;
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly auth?: Readonly<Record<string, unknown>> | null;
    readonly warnings?: readonly string[] | null;
    readonly errors?: readonly string[];
  } & Readonly<Record<string, unknown>>;
};

/** `call` is a method and a path below /v1. */
export async function callVault(
  url: string,
  call: string,
  fields?: object,
  token: string | null = CREDENTIALS['vault-transit'].token,
): Promise<VaultAnswer> {
  const [method = '', path = ''] = call.split(' ');
  const response = await fetch(`${url}/v1/${path}`, {
    method,
    headers: { ...(token !== null && { 'x-vault-token': token }) },
    body: fields === undefined ? null : JSON.stringify(fields),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as VaultAnswer['body']) };
}

export async function logIn(url: string): Promise<{ token: string; leaseSeconds: number }> {
  const { roleId, secretId } = CREDENTIALS['vault-transit'];
  const fields = { role_id: roleId, secret_id: secretId };
  const { status, body } = await callVault(url, 'POST auth/approle/login', fields, null);
  if (status !== 200) throw new Error(`the log-in was answered ${status}`);
  return { token: String(body.auth?.['client_token']), leaseSeconds: Number(body.auth?.['lease_duration']) };
}
