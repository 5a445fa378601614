// The calls about a company's own settings. A credential with `settings:write` can read; a change needs the token of a
// person who has just passed a second factor.
import type { Http } from './http.ts';
import type { components } from './openapi-types.ts';
import type { CallOptions } from './send.ts';

type Schemas = components['schemas'];
export type Settings = Schemas['Settings'];
export type SettingsChange = Schemas['ChangeSettingsRequest'];

const SETTINGS = '/{tenantId}/v1/settings';

export function createSettingsCalls(http: Http) {
  return {
    getSettings: (call?: CallOptions) => http.get(SETTINGS, {}, call),
    /** Throws 409 with `wouldErase` if a shorter retention would erase reports and `confirm` is not set. */
    changeSettings: (
      body: SettingsChange,
      { confirm = false, ...call }: CallOptions & { readonly confirm?: boolean } = {},
    ) => http.patch(SETTINGS, { body, ...(confirm && { query: { confirm: 'true' as const } }) }, call),
    /** What `changeSettings({ retentionDays })` would erase. It changes nothing. */
    previewRetention: (retentionDays: number, call?: CallOptions) =>
      http.get(`${SETTINGS}/retention-preview`, { query: { retentionDays } }, call),
  };
}
