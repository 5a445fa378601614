// The calls about a company's use of the service, and about the caller's own account.
import type { Call } from './call.ts';
import type { Http, QueryOf } from './http.ts';
import type {
  ActivityResponse,
  BureausResponse,
  LimitsResponse,
  Profile,
  SelectedTenant,
  TenantList,
  UsageResponse,
} from './openapi-names.ts';
import type { CallOptions } from './send.ts';

const USAGE = '/{tenantId}/v1/usage';
const ACTIVITY = '/{tenantId}/v1/activity';

/** The period and the mode of `getUsage`. */
export type UsageQuery = QueryOf<typeof USAGE>;
/** The mode and the limit of `listActivity`. */
export type ActivityQuery = QueryOf<typeof ACTIVITY>;

export function createAccountCalls(http: Http) {
  return {
    getLimits: (call?: CallOptions): Call<LimitsResponse> => http.get('/{tenantId}/v1/limits', {}, call),
    getUsage: (query: UsageQuery = {}, call?: CallOptions): Call<UsageResponse> => http.get(USAGE, { query }, call),
    getBureaus: (call?: CallOptions): Call<BureausResponse> => http.get('/{tenantId}/v1/bureaus', {}, call),
    listActivity: (query: ActivityQuery = {}, call?: CallOptions): Call<ActivityResponse> =>
      http.get(ACTIVITY, { query }, call),
    getProfile: (call?: CallOptions): Call<Profile> => http.get('/v1/my/profile', {}, call),
    listTenants: (call?: CallOptions): Call<TenantList> => http.get('/v1/my/tenants', {}, call),
    selectTenant: (id: string, call?: CallOptions): Call<SelectedTenant> =>
      http.post('/v1/my/tenants/select', { body: { tenantId: id } }, call),
  };
}
