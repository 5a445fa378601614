// The shop's settings, from a file. A setting that is missing ends the start with its name.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export type Settings = {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** More than one while the secret is being changed. */
  readonly webhookSecrets: readonly string[];
  /** The one place that decides between test and live. */
  readonly isTest: boolean;
  readonly port: number;
  readonly staffPassword: string;
  readonly databasePath: string;
};

export function readSettings(path: string): Settings {
  const values = parseEnv(readFileSync(path, 'utf8'));
  const need = (name: string) => {
    const value = values[name]?.trim();
    if (!value) throw new Error(`${name} is not set. See env.example.`);
    return value;
  };
  const mode = need('SHOP_MODE');
  if (mode !== 'test' && mode !== 'live') throw new Error('SHOP_MODE is "test" or "live".');
  return {
    baseUrl: need('TREFOIL_BASE_URL'),
    tenantId: need('TREFOIL_TENANT_ID'),
    clientId: need('TREFOIL_CLIENT_ID'),
    clientSecret: need('TREFOIL_CLIENT_SECRET'),
    webhookSecrets: need('TREFOIL_WEBHOOK_SECRET')
      .split(',')
      .map((secret) => secret.trim()),
    isTest: mode === 'test',
    port: Number(values['SHOP_PORT'] || 3000),
    staffPassword: need('SHOP_STAFF_PASSWORD'),
    databasePath: values['SHOP_DATABASE'] || 'shop.sqlite',
  };
}
