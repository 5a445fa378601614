-- no transaction
-- The index by which mails are claimed in turn (docs/decisions/0271-mails-in-turn.md). Each statement runs alone, so the file can be run again after a failure.

-- A build waits for transactions that began before it and keeps nobody waiting, so it may wait as long as it must.
set lock_timeout = 0;

drop index concurrently if exists mails_in_turn;
create index concurrently mails_in_turn on mails (is_notice, turn, next_try_at) where sent_at is null and given_up_at is null;

-- It replaces the index by time alone. A server of the previous release sorts what waits, until it is replaced.
drop index concurrently if exists mails_due;

reset lock_timeout;
