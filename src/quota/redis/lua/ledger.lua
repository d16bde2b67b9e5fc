-- What the ledger's scripts share. It is put in front of each of them when they are loaded.
--
-- Account (hash): 'ends' is the ms at which the month of its counts ends, 'mu' monthly used, 'cu' credits used in
--   that month, 'cr' credits left, 'limit' its own monthly quota or else 'free' or 'pro', 'version' that of the limit,
--   'epoch' new with each seeding. These counts lack what reservations of other epochs took.
-- Open, done, done before (hashes of a shard): the record of each reservation by its id. A reservation that is closed
--   moves from open to done. When done is old, it replaces done before, whose reservations are forgotten.
-- Record: state, account|epoch|expires ms|from monthly|from credits|view|claim. The state is one letter without a bar
--   after it: 'o' for a reservation that was taken (in done: settled), 'e' for one that expired. Account, epoch and
--   expires ms have 36, 8 and 13 characters. The claim is its Redis key, which may hold any character, and a full
--   stop; without an Idempotency-Key it is empty. src/quota/redis/replies.ts reads records, and
--   test/quota/records.test.ts writes and reads them.
-- View: period|end ms|monthly quota|monthly used|credits used|credits left. The period is 'YYYY-MM-01'.
-- Stream entry: the events of one script run for one shard. Its first field is 'reserve', 'settle' or 'grant' with an
--   empty value. Each further field is the id of a reservation or grant. Its value is the record, for a reservation
--   that was taken or was closed without a refund; for any other event it is 'b' and
--   account|epoch|period|change of monthly used|change of credits|view after it.
--
-- The clock is that of Redis. A script that fails half-way is not rolled back, so all reads and checks come before
-- the first write. Integers are written with '%d', because Lua writes 1e15 and -0 as just that.

local call, format, match, sub = redis.call, string.format, string.match, string.sub
local byte, find = string.byte, string.find
local floor, min, max = math.floor, math.min, math.max
local UUID_LENGTH = 36

local now
do
  local t = call('TIME')
  now = t[1] * 1000 + floor(t[2] / 1000)
end

-- Days from 1970-01-01 to the first day of a month, and the year and month of a time in ms. Source: H. Hinnant,
-- "chrono-Compatible Low-Level Date Algorithms", days_from_civil and civil_from_days.
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

-- An account in these scripts: the fields of its hash as text, at these indices.
local ENDS, MU, CU, CR, LIMIT, EPOCH = 1, 2, 3, 4, 5, 6

-- The account as stored, or false when Redis does not know it.
local function load_account(key)
  local a = call('HMGET', key, 'ends', 'mu', 'cu', 'cr', 'limit', 'epoch')
  -- The sum raises an error when a count is damaged, before anything is written.
  return a[ENDS] and a[ENDS] + a[MU] + a[CU] + a[CR] and a
end

-- The first day of the account's month.
local function period(a)
  if a[ENDS] == this_ends_text then return this_period end
  return (period_of(a[ENDS] - 1))
end

-- Begins the present month: the counts of a past month become 0. A clock that steps back changes nothing.
local function roll(a)
  if a[ENDS] == this_ends_text or now < a[ENDS] + 0 then return end
  a[ENDS], a[MU], a[CU], a.rolled = this_ends_text, '0', '0', true
end

-- The monthly quota as text; free and pro are the quotas of the plans.
local function limit_of(a, free, pro)
  if a[LIMIT] == 'free' then return free end
  return a[LIMIT] == 'pro' and pro or a[LIMIT]
end

local function view(a, limit)
  return period(a) .. '|' .. a[ENDS] .. '|' .. limit .. '|' .. a[MU] .. '|' .. a[CU] .. '|' .. a[CR]
end

-- Positions of the parts of a record.
local ACCOUNT_FIRST, ACCOUNT_LAST = 2, 37
local EPOCH_FIRST = 39
local EXPIRES_FIRST, EXPIRES_LAST = 48, 60
-- Captures what the reservation of a record took, and the period in which it did.
local TAKEN = '^[^|]*|[^|]*|%d+|(%d+)|(%d+)|([^|]*)|'
-- Captures the claim of a record without its full stop.
local CLAIM = '^[^|]*|[^|]*|%d+|%d+|%d+|[^|]*|%d+|%d+|%d+|%d+|%d+|(.*)%.$'
local STATE_TAKEN, BAR = byte('o'), byte('|')

local function account_id_of(record) return sub(record, ACCOUNT_FIRST, ACCOUNT_LAST) end

local function expires_of(record) return sub(record, EXPIRES_FIRST, EXPIRES_LAST) + 0 end

local function is_taken(record) return byte(record) == STATE_TAKEN end

local function has_claim(record) return byte(record, -1) ~= BAR end

local function expired(record) return 'e' .. sub(record, ACCOUNT_FIRST) end

-- Whether the account's counts include what the record took.
local function is_of_epoch(record, a)
  return find(record, a[EPOCH], EPOCH_FIRST, true) == EPOCH_FIRST
end

-- The record of a new reservation, after its units were taken from the account.
local function taken_record(account_id, a, expires, from_monthly, from_credits, limit, claim_key)
  return 'o' .. account_id .. '|' .. a[EPOCH] .. '|' .. expires .. '|' .. from_monthly .. '|' .. from_credits .. '|'
    .. period(a) .. '|' .. a[ENDS] .. '|' .. limit .. '|' .. a[MU] .. '|' .. a[CU] .. '|' .. a[CR] .. '|'
    .. (claim_key and claim_key .. '.' or '')
end

-- The record of a reservation that is open in Postgres; taken is expires ms|from monthly|from credits|view.
local function seeded_record(account_id, epoch, taken)
  return 'o' .. account_id .. '|' .. epoch .. '|' .. taken .. '|'
end

local function save_account(key, a)
  a.is_changed = false
  if a.rolled then
    call('HSET', key, 'ends', a[ENDS])
    -- Redis forgets an account after an idle month; it is seeded again when it is needed.
    call('PEXPIREAT', key, format('%d', a[ENDS] + 31 * 86400000))
  elseif not a.credits_moved then
    call('HSET', key, 'mu', a[MU])
    return
  end
  call('HSET', key, 'mu', a[MU], 'cu', a[CU], 'cr', a[CR])
end
