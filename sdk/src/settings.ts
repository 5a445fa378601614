// The calls about a company's own settings. A credential with `settings:write` can read; a change needs the token of a
// person who has just passed a second factor.
import type { Call } from './call.ts';
import type { Http } from './http.ts';
import type { ChangeSettingsRequest, RetentionPreviewResponse, SettingsResponse } from './openapi-names.ts';
import type { CallOptions } from './send.ts';

/** The settings to change. */
export type SettingsChange = ChangeSettingsRequest;

const SETTINGS = '/{tenantId}/v1/settings';

export function createSettingsCalls(http: Http) {
  return {
    getSettings: (call?: CallOptions): Call<SettingsResponse> => http.get(SETTINGS, {}, call),
    /** Throws 409 with `wouldErase` if a shorter retention would erase reports and `confirm` is not set. */
    changeSettings: (
      body: SettingsChange,
      { confirm = false, ...call }: CallOptions & { readonly confirm?: boolean } = {},
    ): Call<SettingsResponse> =>
      http.patch(SETTINGS, { body, ...(confirm && { query: { confirm: 'true' as const } }) }, call),
    previewRetention: (retentionDays: number, call?: CallOptions): Call<RetentionPreviewResponse> =>
      http.get(`${SETTINGS}/retention-preview`, { query: { retentionDays } }, call),
  };
}
