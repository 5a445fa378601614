// The scripts that judge a limit inside Redis. Redis runs each atomically and uses its own clock. local-limits.ts does the
// same arithmetic in this process.

// The generic cell rate algorithm. Each key stores one number, the theoretical arrival time of the next request. The script
// takes several keys, each with its interval, burst and number of wanted requests, and returns four numbers for each key.
export const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local answers = {}
for place, key in ipairs(KEYS) do
  local interval, burst, wanted = tonumber(ARGV[3 * place - 2]), tonumber(ARGV[3 * place - 1]), tonumber(ARGV[3 * place])
  local arrival = math.max(tonumber(redis.call('GET', key) or '0'), now)
  local early = arrival + interval - burst * interval - now
  local taken, remaining = 0, 0
  if early <= 0 then
    early = 0
    taken = math.min(wanted, math.floor(burst - (arrival - now) / interval))
    arrival = arrival + taken * interval
    redis.call('SET', key, string.format('%.0f', arrival), 'PX', math.ceil((arrival - now) / 1000))
    remaining = math.floor(burst - (arrival - now) / interval)
  end
  for _, number in ipairs({taken, remaining, early, arrival - now}) do answers[#answers + 1] = number end
end
return answers`;

// A key stores the times of its last failures. It is locked while the oldest of them is inside the window.
export const FAILURES = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local max, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local oldest = tonumber(redis.call('LINDEX', KEYS[1], max - 1) or '-1')
if oldest >= 0 and now - oldest < window then return window - (now - oldest) end
if ARGV[3] == '1' then
  redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('LTRIM', KEYS[1], 0, max - 1)
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
end
return 0`;
