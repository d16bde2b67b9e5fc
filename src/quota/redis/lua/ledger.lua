-- What the ledger's scripts share; put in front of each of them when it is loaded.
--
-- Account (hash): ends ms at which the month of its counts is over, mu monthly used, cu credits used in that
--   month, cr credits left, limit its own monthly quota or else 'free' or 'pro', version of the limit, epoch: a
--   new one with each seeding. What a reservation of another epoch took is not in these counts.
-- Open, done, done before (hashes of a shard): reservation id -> its record. Closed ones move to done; when done is
--   old it becomes done before, and that one is forgotten.
-- Record: state, account|epoch|expires ms|from monthly|from credits|view|claim. The state is one letter: 'o' of a
--   reservation that was taken, which in done means settled, and 'e' of one that expired. No bar stands behind it.
--   Account, epoch and expires ms have 36, 8 and 13 characters. The claim is its key, which may hold anything, and a
--   full stop; it is empty without an Idempotency-Key. src/quota/redis/replies.ts reads records, and
--   test/quota/records.test.ts writes and reads them.
-- View: period|end ms|monthly quota|monthly used|credits used|credits left. Period is 'YYYY-MM-01'.
-- Stream entry: the events of one call. Its first field is 'reserve', 'settle' or 'grant', with an empty value,
--   then for each event the id of the reservation or grant, with what happened: the record, for a reservation
--   that was taken, or closed with nothing given back; else 'b' and account|epoch|period|change of monthly
--   used|change of credits|view after it.
--
-- The clock is Redis's own. A script that fails half-way is not rolled back: all reads and checks come
-- before the first write. Integers are written with '%d', since Lua turns 1e15 and -0 into just that.

local call, format, match, sub = redis.call, string.format, string.match, string.sub
local byte, find = string.byte, string.find
local floor, min, max = math.floor, math.min, math.max
local UUID_LENGTH = 36

local now
do
  local t = call('TIME')
  now = t[1] * 1000 + floor(t[2] / 1000)
end

-- Days since 1970-01-01 of a month's first day, and the month of a day; H. Hinnant, "chrono-Compatible
-- Low-Level Date Algorithms", days_from_civil and civil_from_days.
local function days_to_month(y, m)
  if m <= 2 then y = y - 1 end
  local era = floor(y / 400)
  local yoe = y - era * 400
  local doy = floor((153 * ((m + 9) % 12) + 2) / 5)
  return era * 146097 + yoe * 365 + floor(yoe / 4) - floor(yoe / 100) + doy - 719468
end

local function month_of(ms)
  local z = floor(ms / 86400000) + 719468
  local era = floor(z / 146097)
  local doe = z - era * 146097
  local yoe = floor((doe - floor(doe / 1460) + floor(doe / 36524) - floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + floor(yoe / 4) - floor(yoe / 100))
  local m = (floor((5 * doy + 2) / 153) + 2) % 12 + 1
  local y = yoe + era * 400
  if m <= 2 then y = y + 1 end
  return y, m
end

-- The first day of the month that holds ms, and the ms at which the month ends.
local function period_of(ms)
  local y, m = month_of(ms)
  local next_y, next_m = y, m + 1
  if next_m == 13 then next_y, next_m = y + 1, 1 end
  return format('%04d-%02d-01', y, m), days_to_month(next_y, next_m) * 86400000
end

local this_period, this_ends = period_of(now)
local this_ends_text = format('%d', this_ends)

-- An account in these scripts: the fields of its hash as text, which goes into records and back as it is.
local ENDS, MU, CU, CR, LIMIT, EPOCH = 1, 2, 3, 4, 5, 6

-- The account as stored, or false.
local function load_account(key)
  local a = call('HMGET', key, 'ends', 'mu', 'cu', 'cr', 'limit', 'epoch')
  -- The sum fails on a damaged count, before anything is done with it.
  return a[ENDS] and a[ENDS] + a[MU] + a[CU] + a[CR] and a
end

-- The first day of the account's month.
local function period(a)
  if a[ENDS] == this_ends_text then return this_period end
  return (period_of(a[ENDS] - 1))
end

-- Brings the account to the present month: the counts of a past one are over. The clock stepping back
-- changes nothing.
local function roll(a)
  if a[ENDS] == this_ends_text or now < a[ENDS] + 0 then return end
  a[ENDS], a[MU], a[CU], a.rolled = this_ends_text, '0', '0', true
end

-- The monthly quota as a string; free and pro are those of the plans.
local function limit_of(a, free, pro)
  if a[LIMIT] == 'free' then return free end
  return a[LIMIT] == 'pro' and pro or a[LIMIT]
end

local function view(a, limit)
  return period(a) .. '|' .. a[ENDS] .. '|' .. limit .. '|' .. a[MU] .. '|' .. a[CU] .. '|' .. a[CR]
end

-- Where the parts of a record lie.
local ACCOUNT_FIRST, ACCOUNT_LAST = 2, 37
local EPOCH_FIRST = 39
local EXPIRES_FIRST, EXPIRES_LAST = 48, 60
-- What a record took, and the period in which.
local TAKEN = '^[^|]*|[^|]*|%d+|(%d+)|(%d+)|([^|]*)|'
-- Its claim key: what stands behind the view, without the full stop.
local CLAIM = '^[^|]*|[^|]*|%d+|%d+|%d+|[^|]*|%d+|%d+|%d+|%d+|%d+|(.*)%.$'
local STATE_TAKEN, BAR = byte('o'), byte('|')

local function account_id_of(record) return sub(record, ACCOUNT_FIRST, ACCOUNT_LAST) end

local function expires_of(record) return sub(record, EXPIRES_FIRST, EXPIRES_LAST) + 0 end

local function is_taken(record) return byte(record) == STATE_TAKEN end

local function has_claim(record) return byte(record, -1) ~= BAR end

local function expired(record) return 'e' .. sub(record, ACCOUNT_FIRST) end

-- Whether what the record took is in the account's counts.
local function is_of_epoch(record, a)
  return find(record, a[EPOCH], EPOCH_FIRST, true) == EPOCH_FIRST
end

-- The record of what was just taken from the account.
local function taken_record(account_id, a, expires, from_monthly, from_credits, limit, claim_key)
  return 'o' .. account_id .. '|' .. a[EPOCH] .. '|' .. expires .. '|' .. from_monthly .. '|' .. from_credits .. '|'
    .. period(a) .. '|' .. a[ENDS] .. '|' .. limit .. '|' .. a[MU] .. '|' .. a[CU] .. '|' .. a[CR] .. '|'
    .. (claim_key and claim_key .. '.' or '')
end

-- The record of a reservation that Postgres holds as open; taken is expires ms|from monthly|from credits|view.
local function seeded_record(account_id, epoch, taken)
  return 'o' .. account_id .. '|' .. epoch .. '|' .. taken .. '|'
end

local function save_account(key, a)
  a.is_changed = false
  if a.rolled then
    call('HSET', key, 'ends', a[ENDS])
    -- After an idle month an account leaves, and is seeded again when it is needed.
    call('PEXPIREAT', key, format('%d', a[ENDS] + 31 * 86400000))
  elseif not a.credits_moved then
    call('HSET', key, 'mu', a[MU])
    return
  end
  call('HSET', key, 'mu', a[MU], 'cu', a[CU], 'cr', a[CR])
end
