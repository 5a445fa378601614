-- The role of staff who generate and read reports, and nothing else (docs/decisions/0027). Servers of the previous release know
-- no such role: give it to members once all servers run this release.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

insert into roles (name, scopes) values ('caseworker', '{reports:write,reports:read}');
