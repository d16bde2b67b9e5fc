-- What the ledger's scripts share. It is put in front of each of them when they are loaded.
--
-- Account (hash): 'ends' is the ms at which the month of its counts ends, 'mu' monthly used, 'cu' credits used in
--   that month, 'cr' credits left, 'limit' its own monthly quota or else 'free' or 'pro', 'version' that of the limit,
--   'epoch' new with each seeding. For each API key that has used units in that month, or made one that has, field 'k' + id:
--   how many, with those of the keys that it made.
-- Open (hash of a shard): each open reservation by its id. What was open when Redis lost an account is known only as a
--   sum: it is one reservation, the remainder, with the id of the account and the use that has most units of it.
-- Reservation: 'o', account|epoch|expires ms|period|from monthly|from credits|view|use|claim. Account, epoch, expires
--   ms and the period in which it was taken have 36, 8, 13 and 10 characters. The claim is its Redis key, which may
--   hold any character, and a full stop; without an Idempotency-Key it is empty. src/quota/redis/replies.ts reads
--   reservations, and test/quota/records.test.ts writes and reads them.
-- View: period|end ms|monthly quota|monthly used|credits used|credits left. The period is 'YYYY-MM-01'.
-- Use: kind:id of the API key (a kind of load tests ends with '-test'), then the ids of its makers, separated by ','. Quotas: the own monthly quotas of these keys in the
--   same order, separated by ',', '' for one that has none; or '' when none has.
-- Stream entry: what one script run changed in one shard. A field is the id of an account. Its value has parts that are
--   separated by ';'. The first is the epoch, or epoch|period|monthly used|credits used|credits left, as they are after
--   the run. Then come, if there are any,
--     u use|calls|monthly|credits|refunded monthly|refunded credits|credits refunded of an earlier month; zeros at the
--       end are left out
--     o period|change of open monthly|change of open credits: of reservations taken in that period
--     g id|credits: a grant     h id|use|monthly|credits: a hold     r id: the return of a hold
--   without a space after the letter. src/quota/redis/drain-sums.ts reads entries.
--
-- The clock is that of Redis. A script that fails half-way is not rolled back, so all reads and checks come before
-- the first write. Integers are written with '%d', because Lua writes 1e15 and -0 as just that.

local call, format, match, sub = redis.call, string.format, string.match, string.sub
local byte, find, gmatch = string.byte, string.find, string.gmatch
local floor, min, max = math.floor, math.min, math.max
local concat = table.concat
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
  a.key, a.used = key, {}
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

-- The units that the key of a field has used in the account's month.
local function used_by(a, field)
  return a.used[field] or not a.rolled and tonumber(call('HGET', a.key, field) or 0) or 0
end

-- Adds to the units of the API key of a use and of its makers.
local function count_for_keys(a, use, units)
  for at = find(use, ':') + 1, #use, UUID_LENGTH + 1 do
    local field = 'k' .. sub(use, at, at + UUID_LENGTH - 1)
    a.used[field] = used_by(a, field) + units
  end
end

-- How many units are left of the own monthly quotas of the API key of a use and of its makers; nil without a quota.
local function left_of_keys(a, use, quotas)
  if quotas == '' then return nil end
  local left, at = nil, find(use, ':') + 1
  for quota in gmatch(quotas .. ',', '(%d*),') do
    if quota ~= '' then
      local of_key = max(quota - max(used_by(a, 'k' .. sub(use, at, at + UUID_LENGTH - 1)), 0), 0)
      left = left and min(left, of_key) or of_key
    end
    at = at + UUID_LENGTH + 1
  end
  return left
end

-- The monthly quota as text; free and pro are the quotas of the plans.
local function limit_of(a, free, pro)
  if a[LIMIT] == 'free' then return free end
  return a[LIMIT] == 'pro' and pro or a[LIMIT]
end

local function view(a, limit)
  return period(a) .. '|' .. a[ENDS] .. '|' .. limit .. '|' .. a[MU] .. '|' .. a[CU] .. '|' .. a[CR]
end

-- Writes the first fields of an account in its new month, and forgets what its API keys have used before.
local function begin_month(key, a)
  for _, field in ipairs(call('HKEYS', key)) do
    if sub(field, 1, 1) == 'k' then call('HDEL', key, field) end
  end
  call('HSET', key, 'ends', a[ENDS])
  -- Redis forgets an account after an idle month; it is seeded again when it is needed.
  call('PEXPIREAT', key, format('%d', a[ENDS] + 31 * 86400000))
end

local function save_account(a)
  local key, fields = a.key, { 'mu', a[MU] }
  if a.rolled then begin_month(key, a) end
  if a.rolled or a.credits_moved then fields = { 'mu', a[MU], 'cu', a[CU], 'cr', a[CR] } end
  for field, used in pairs(a.used) do
    fields[#fields + 1], fields[#fields + 2] = field, format('%d', used)
  end
  call('HSET', key, unpack(fields))
end

-- Takes units, first from the monthly quota, then from the credits. Returns how many came from each; nil when fewer
-- are left.
local function take_units(a, units, limit)
  local left = limit - a[MU]
  local from_monthly, from_credits = units, 0
  if units > left then
    from_monthly = max(left, 0)
    from_credits = units - from_monthly
    if from_credits > a[CR] + 0 then return nil end
    a[CU], a[CR] = format('%d', a[CU] + from_credits), format('%d', a[CR] - from_credits)
    a.credits_moved = true
  end
  a[MU] = format('%d', a[MU] + from_monthly)
  return from_monthly, from_credits
end

-- Gives units back that were taken in a period. Returns what the month gets, what the credits get, and what the credits
-- get of an earlier month. A monthly unit of a past month does not go back.
local function return_units(a, taken_in, monthly, credits)
  if credits > 0 then a[CR], a.credits_moved = format('%d', a[CR] + credits), true end
  if taken_in ~= period(a) then return 0, 0, credits end
  if credits > 0 then a[CU] = format('%d', a[CU] - credits) end
  a[MU] = format('%d', a[MU] - monthly)
  return monthly, credits, 0
end

-- What went back first of units that were taken: credits, then monthly units.
local function split_refund(refund, from_monthly, from_credits)
  local credits = min(refund, from_credits)
  return min(refund - credits, from_monthly), credits
end

-- Positions of the parts of a reservation.
local ACCOUNT_FIRST, ACCOUNT_LAST = 2, 37
local EPOCH_FIRST, EPOCH_LAST = 39, 46
local EXPIRES_FIRST, EXPIRES_LAST = 48, 60
local PERIOD_FIRST, PERIOD_LAST, TAKEN_FIRST = 62, 71, 73
-- Captures the use of a reservation, and its claim with a full stop.
local USE = '^%d+|%d+|[^|]*|%d+|%d+|%d+|%d+|%d+|([^|]*)|(.*)$'
local BAR = byte('|')

local function account_id_of(reservation) return sub(reservation, ACCOUNT_FIRST, ACCOUNT_LAST) end

local function epoch_of(reservation) return sub(reservation, EPOCH_FIRST, EPOCH_LAST) end

local function period_of_reservation(reservation) return sub(reservation, PERIOD_FIRST, PERIOD_LAST) end

-- How many units a reservation took of the monthly quota and of the credits.
local function taken_of(reservation)
  local _, _, monthly, credits = find(reservation, '^(%d+)|(%d+)', TAKEN_FIRST)
  return monthly + 0, credits + 0
end

-- The use of a reservation.
local function use_of(reservation)
  local _, _, use = find(reservation, USE, TAKEN_FIRST)
  return use
end

-- The key of the claim of a reservation; nil when it has none.
local function claim_of(reservation)
  if byte(reservation, -1) == BAR then return nil end
  local _, _, _, claim = find(reservation, USE, TAKEN_FIRST)
  return sub(claim, 1, -2)
end

local function expires_of(reservation) return sub(reservation, EXPIRES_FIRST, EXPIRES_LAST) + 0 end

-- Cache of whole numbers as text: the same few recur, and formatting one takes longer than a look-up.
local texts = {}
local function text_of(number)
  local text = texts[number] or format('%d', number)
  texts[number] = text
  return text
end

local function reservation_of(account_id, epoch, expires, taken_in, from_monthly, from_credits, seen, use, claim_key)
  return 'o' .. account_id .. '|' .. epoch .. '|' .. expires .. '|' .. taken_in .. '|' .. text_of(from_monthly) .. '|'
    .. text_of(from_credits) .. '|' .. seen .. '|' .. use .. '|' .. (claim_key and claim_key .. '.' or '')
end

-- The first part of an account's value in a stream entry.
local function state(a)
  return a[EPOCH] .. '|' .. period(a) .. '|' .. a[MU] .. '|' .. a[CU] .. '|' .. a[CR]
end
