// Applications that sign people in, as rows. Runs as the system role.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export type OAuthApp = {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Null for a public client, which has no secret. */
  readonly secretHash: Buffer | null;
  readonly isEnabled: boolean;
  readonly createdAt: Date;
};

export async function insertApp(tx: Tx, app: Omit<OAuthApp, 'isEnabled' | 'createdAt'>): Promise<void> {
  await execute(
    tx,
    sql`
    insert into oauth_apps (id, name, redirect_uris, secret_hash)
    values (${app.id}, ${app.name}, ${app.redirectUris}, ${app.secretHash})`,
  );
}

export async function findApp(tx: Tx, id: string): Promise<OAuthApp | undefined> {
  const [app] = await rows<OAuthApp>(
    tx,
    sql`
    select id, name, redirect_uris as "redirectUris", secret_hash as "secretHash", is_enabled as "isEnabled",
           created_at as "createdAt"
      from oauth_apps where id = ${id}`,
  );
  return app;
}

const LIST_LIMIT = 1_000;

export function listApps(tx: Tx): Promise<OAuthApp[]> {
  return rows<OAuthApp>(
    tx,
    sql`
    select id, name, redirect_uris as "redirectUris", secret_hash as "secretHash", is_enabled as "isEnabled",
           created_at as "createdAt"
      from oauth_apps order by id limit ${LIST_LIMIT}`,
  );
}

const PUBLIC_LIMIT = 10_000;

/** The redirect URIs of the enabled applications that have no secret. */
export async function listPublicRedirectUris(tx: Tx): Promise<string[]> {
  const found = await rows<{ uri: string }>(
    tx,
    sql`
    select unnest(redirect_uris) as uri from oauth_apps where secret_hash is null and is_enabled
     order by id limit ${PUBLIC_LIMIT}`,
  );
  return found.map(({ uri }) => uri);
}

/** Returns false when the application does not exist. */
export async function updateAppEnabled(tx: Tx, id: string, isEnabled: boolean): Promise<boolean> {
  return (await execute(tx, sql`update oauth_apps set is_enabled = ${isEnabled} where id = ${id}`)) === 1;
}
