// sys/health: for everybody, without a token, also while Vault is sealed.
import { json } from '../key-wire/wire.ts';
import type { Reply } from '../wire.ts';
import { errors } from './errors.ts';

export function health(method: string, isSealed: boolean): Reply {
  if (method !== 'GET' && method !== 'HEAD') return errors(405);
  const reply = json(isSealed ? 503 : 200, {
    ...{ initialized: true, sealed: isSealed, standby: isSealed, performance_standby: false },
    ...{ replication_performance_mode: 'disabled', replication_dr_mode: 'disabled' },
    ...{ server_time_utc: Math.floor(Date.now() / 1000), version: '1.21.0', enterprise: false },
    ...(!isSealed && { cluster_name: 'simulator', cluster_id: '5a1e0000-0000-4000-8000-000000000003' }),
    ...{ echo_duration_ms: 0, clock_skew_ms: 0, replication_primary_canary_age_ms: 0 },
  });
  return method === 'HEAD' ? { ...reply, body: '' } : reply;
}
