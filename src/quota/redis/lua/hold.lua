-- Takes units for a long job, once for each id: all or none, first from the monthly quota, then from the credits.
--
-- KEYS  1 account, 2 stream of changes, 3 marker
-- ARGV  1 id, 2 epoch of the account, 3 ms for which the marker stays, 4 units, 5 use, 6 quota of plan free, 7 of plan pro,
--       8 quotas of the use
-- The caller reads the epoch before it asks Postgres whether the hold exists.
-- Answers 'held|from monthly|from credits|view', the same again for a repeated id; 'exhausted|view' when fewer units are
-- left; 'key_exhausted|left|view' when fewer are left of the quotas of its keys; or 'stale' when the epoch is over.

local account = load_account(KEYS[1])
if not account or account[EPOCH] ~= ARGV[2] then return 'stale' end
local earlier = call('GET', KEYS[3])
if earlier then return earlier end
roll(account)
local limit = limit_of(account, ARGV[6], ARGV[7])
local left = left_of_keys(account, ARGV[5], ARGV[8])
if left and left < ARGV[4] + 0 then return format('key_exhausted|%d|%s', left, view(account, limit)) end
local from_monthly, from_credits = take_units(account, ARGV[4] + 0, limit)
if not from_monthly then return 'exhausted|' .. view(account, limit) end
count_for_keys(account, ARGV[5], from_monthly + from_credits)
local answer = format('held|%d|%d|%s', from_monthly, from_credits, view(account, limit))
call('SET', KEYS[3], answer, 'PX', ARGV[3])
save_account(account)
call('XADD', KEYS[2], '*', sub(KEYS[1], -UUID_LENGTH), format('%s;u%s|1|%d|%d|0|0|0;h%s|%s|%d|%d', state(account), ARGV[5],
  from_monthly, from_credits, ARGV[1], ARGV[5], from_monthly, from_credits))
return answer
