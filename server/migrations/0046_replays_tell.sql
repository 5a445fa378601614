-- Replays of webhook events have an end, may be for failed events alone, and say how far they are (docs/decisions/0283).

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- Of the last replay; `replay_since` says whether it is under way. Null: there was none, or a server of the previous release began it. Such a
-- server also ends it without these, and reads neither the end nor whether it is for failed events: it sends more again than was asked for.
alter table webhook_endpoints
  -- As it was asked for; `replay_since` is null once it is over.
  add column replay_asked_since timestamptz,
  add column replay_until timestamptz,
  add column replay_only_failed boolean not null default false,
  add column replay_begun_at timestamptz,
  -- When the last event happened that it looked at.
  add column replay_reached_at timestamptz,
  add column replay_queued integer not null default 0;

-- Workers say how far it is.
grant update (replay_reached_at, replay_queued) on webhook_endpoints to trefoil_system;
