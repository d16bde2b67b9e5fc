-- What the ledger's scripts share; put in front of each of them when it is loaded.
--
-- Account (hash): ends ms at which the month of its counts is over, mu monthly used, cu credits used in that
--   month, cr credits left, limit its own monthly quota or else 'free' or 'pro', version of the limit, life: a
--   new one with each seeding. What a reservation of another life took is not in these counts.
-- Open, done, done before (hashes of a shard): reservation id -> its record, account|life|expires ms|from
--   monthly|from credits|view|claim key, behind a letter: 'o' when it was taken, 'e' when it expired. The claim key
--   may hold anything. Closed ones move to done, where 'o' means settled; when done is old it becomes done
--   before, and that one is forgotten. The first three parts have 36, 8 and 13 characters.
-- View: period|end ms|monthly quota|monthly used|credits used|credits left. Period is 'YYYY-MM-01'.
-- Stream entry: the events of one call. Its first field is 'reserve', 'settle' or 'grant', with an empty value,
--   then for each event the id of the reservation or grant, with what happened: the record, for a reservation
--   that was taken, or closed with nothing given back; else 'b' and account|life|period|change of monthly
--   used|change of credits|view after it.
--
-- The clock is Redis's own. A script that fails half-way is not rolled back: all reads and checks come
-- before the first write. Integers are written with '%d', since Lua turns 1e15 and -0 into just that.

local call, format, match, sub = redis.call, string.format, string.match, string.sub
local byte, find = string.byte, string.find
local floor, min, max = math.floor, math.min, math.max

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
local ENDS, MU, CU, CR, LIMIT, LIFE = 1, 2, 3, 4, 5, 6

-- The account as stored, or false.
local function load_account(key)
  local a = call('HMGET', key, 'ends', 'mu', 'cu', 'cr', 'limit', 'life')
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

-- Whether what the record took is in the account's counts.
local function is_of_life(record, a)
  return find(record, a[LIFE], 39, true) == 39
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
