-- Runs calls that arrived together, in groups of one shard each: closes reservations, makes new ones, and takes units
-- for work that is done.
--
-- KEYS  of each group: 1 open, 2 stream of changes, 3 the mark that claims are in Postgres, then of each call: its account; for
--       'c' and 'C' its claim; for 'd' a marker
-- ARGV  1 time to live ms, 2 quota of plan free, 3 of plan pro, 4 ms for which answers are kept, then of each group:
--       number of calls, then of each call: a letter, an id, and what the letter needs
--   's'                       closes a reservation: nothing goes back, and the balance is not wanted
--   'S' refund, told, answer  closes it; up to refund units go back, or, with -1, all, but only when its time is over. The
--                             balance is wanted when told is '1', else '0'. The answer is kept under its claim; without
--                             one the claim is released
--   'd' epoch, expires ms, period, monthly, credits, use, refund, told
--                             as 'S' for a reservation of an earlier epoch that is not here, of which the caller knows
--                             what it took: its units are taken off the remainder, once
--   'r' units, use, quotas    reserves all of the units or none, first from the monthly quota, then from the credits
--   'c' units, use, quotas, body
--                             as 'r' with an Idempotency-Key; body is the SHA-256 of the request's body
--   'C' units, use, quotas, body
--                             as 'c', once the claim was not found in Postgres
--   't' units, use, quotas    reserves as many of the units as there are
-- Answers for each call one text:
--   closing   'settled|view'   it is closed now, and its work is paid. The view is empty unless the balance is wanted
--             'expired|view'   it is closed now. Its time was over, so all its units went back
--             'unknown|view'   the account has no such reservation here
--             'open'           its time is not over, and the refund was -1
--   taking    its reservation  when it is admitted, now or before
--             'exhausted|view' when fewer units are left ('t': none)
--             'key_exhausted|left|view' when fewer are left of the quotas of its keys ('t': none)
--             'replay|answer'  when an answer is kept under the claim
--             'mismatch'       when the claim has another body
--             'running'        when the first request with the claim has not ended
--             'moved'          when the claim is not here and may be in Postgres; 'C' has no such answer
--   all       'cold'           when Redis does not know the account; nothing was done
--             'error|text'     when stored data are damaged

local KEYS, ARGV = KEYS, ARGV
local free, pro, keep_answer = ARGV[2], ARGV[3], ARGV[4]
-- How many arguments a call has, its letter and its id included.
local LENGTHS = { s = 2, S = 5, d = 10, r = 5, c = 6, C = 6, t = 5 }
local expires_text = format('%d', now + ARGV[1])
local answers, claims, closed_claims = {}, {}, {}
local open_key, moved_key
-- Of the present group: accounts by key (false: Redis does not know it), reservations by id (false: not open), fields and
-- values to be written to open, ids to be removed from it, and what changes of accounts, in their order and by key.
local accounts, in_open, opened, closed, closed_at, touched

local function account_of(key)
  local account = accounts[key]
  if account == nil then
    account = load_account(key)
    if account then roll(account) end
    accounts[key] = account
  end
  return account
end

-- What the run changes of an account, for the stream.
local function changes_of(key, epoch)
  local changes = touched[key]
  if not changes then
    changes = { epoch = epoch }
    touched[key] = changes
    touched[#touched + 1] = key
  end
  return changes
end

local function note_use(changes, use, calls, monthly, credits, back_monthly, back_credits, back_late)
  local uses = changes.uses or {}
  changes.uses = uses
  local sums = uses[use]
  if not sums then
    uses[use] = { calls, monthly, credits, back_monthly, back_credits, back_late }
    return
  end
  sums[1], sums[2], sums[3] = sums[1] + calls, sums[2] + monthly, sums[3] + credits
  sums[4], sums[5], sums[6] = sums[4] + back_monthly, sums[5] + back_credits, sums[6] + back_late
end

local function note_open(changes, taken_in, monthly, credits)
  if not changes.opened_in then changes.opened_in, changes.open_monthly, changes.open_credits = taken_in, 0, 0 end
  if changes.opened_in ~= taken_in then
    local parts = changes.parts or {}
    parts[#parts + 1] = format('o%s|%d|%d', taken_in, monthly, credits)
    changes.parts = parts
    return
  end
  changes.open_monthly, changes.open_credits = changes.open_monthly + monthly, changes.open_credits + credits
end

-- The view for a caller who wants it.
local function shown(key)
  local account = account_of(key)
  return view(account, limit_of(account, free, pro))
end

local function find_open(id)
  local reservation = in_open[id]
  if reservation == nil then
    reservation = call('HGET', open_key, id)
    in_open[id] = reservation
  end
  return reservation
end

-- Gives units back and notes it.
local function give_back(account, changes, taken_in, monthly, credits, use)
  account.changed = true
  local to_month, to_credits, late = return_units(account, taken_in, monthly, credits)
  count_for_keys(account, use, -to_month - to_credits)
  note_use(changes, use, 0, 0, 0, to_month, to_credits, late)
end

-- Writes a reservation. An id that this run has closed is not removed again.
local function put(id, reservation)
  local at = closed_at[id]
  if at then closed[at] = '' end
  in_open[id] = reservation
  opened[#opened + 1] = id
  opened[#opened + 1] = reservation
end

local function close(key, id, refund, told, answer)
  local reservation = find_open(id)
  local needs_account = told or refund ~= 0 or not reservation
  if needs_account and not account_of(key) then return 'cold' end
  if not reservation or account_id_of(reservation) ~= sub(key, -UUID_LENGTH) then
    return 'unknown|' .. (told and shown(key) or '')
  end
  -- Whoever settles a call that saves codes knows whether they were saved, so its settlement is valid even when late.
  local use = use_of(reservation)
  local saves = find(use, '^bulk') ~= nil or find(use, '^code') ~= nil
  local is_due = now >= expires_of(reservation) and (refund < 0 or not saves)
  if refund < 0 and not is_due then return 'open' end
  if is_due and not account_of(key) then return 'cold' end

  local from_monthly, from_credits = taken_of(reservation)
  local taken_in, claim = period_of_reservation(reservation), claim_of(reservation)
  if is_due then refund = from_monthly + from_credits end
  local changes = changes_of(key, epoch_of(reservation))
  note_open(changes, taken_in, -from_monthly, -from_credits)
  if refund > 0 then
    local monthly, credits = split_refund(refund, from_monthly, from_credits)
    give_back(account_of(key), changes, taken_in, monthly, credits, use_of(reservation))
  end
  in_open[id] = false
  closed[#closed + 1] = id
  closed_at[id] = #closed
  if claim then closed_claims[claim] = { id, not is_due and answer or '' } end
  return (is_due and 'expired|' or 'settled|') .. (told and shown(key) or '')
end

-- Settles a reservation of an earlier epoch, whose units are in the remainder. One whose time is over may have been given
-- back before the loss; if not, its units go back with the remainder.
local function take_off(key, marker, epoch, expires, taken_in, monthly, credits, use, refund, told)
  local account = account_of(key)
  if not account then return 'cold' end
  monthly, credits, told = monthly + 0, credits + 0, told == '1'
  refund = refund + 0
  local id = sub(key, -UUID_LENGTH)
  local reservation = find_open(id)
  local left_monthly, left_credits = 0, 0
  if reservation and period_of_reservation(reservation) == taken_in then
    left_monthly, left_credits = taken_of(reservation)
  end
  local is_covered = left_monthly >= monthly and left_credits >= credits
  local is_late = now >= expires + 0
  if is_late or epoch == account[EPOCH] or not is_covered or not call('SET', marker, '1', 'NX', 'PXAT', expires_text) then
    return 'unknown|' .. (told and shown(key) or '')
  end
  local changes = changes_of(key, account[EPOCH])
  note_open(changes, taken_in, -monthly, -credits)
  if refund > 0 then
    local back_monthly, back_credits = split_refund(refund, monthly, credits)
    give_back(account, changes, taken_in, back_monthly, back_credits, use)
  end
  put(id, reservation_of(id, epoch_of(reservation), format('%d', expires_of(reservation)), taken_in,
    left_monthly - monthly, left_credits - credits, taken_in .. '|0|0|0|0|0', use_of(reservation)))
  return 'settled|' .. (told and shown(key) or '')
end

local function reserve(key, id, units, use, quotas, what, claim_key, body)
  local account = account_of(key)
  if not account then return 'cold' end
  local earlier = find_open(id)
  if earlier then return earlier end

  if claim_key then
    local claim = claims[claim_key] or call('HMGET', claim_key, 'body', 'id', 'answer')
    if claim[2] then
      if claim[1] ~= body then return 'mismatch' end
      return claim[3] and 'replay|' .. claim[3] or 'running'
    end
    if what == 'c' and call('EXISTS', moved_key) == 1 then return 'moved' end
  end

  local limit = limit_of(account, free, pro)
  local is_partial, wanted = what == 't', units + 0
  local left = left_of_keys(account, use, quotas)
  if left and (left == 0 or left < wanted and not is_partial) then
    return format('key_exhausted|%d|%s', left, view(account, limit))
  end
  if is_partial then wanted = min(wanted, left or wanted, max(limit - account[MU], 0) + account[CR]) end
  local from_monthly, from_credits
  if wanted > 0 then from_monthly, from_credits = take_units(account, wanted, limit) end
  if not from_monthly then return 'exhausted|' .. view(account, limit) end
  account.changed = true
  count_for_keys(account, use, from_monthly + from_credits)
  local changes = changes_of(key, account[EPOCH])
  note_use(changes, use, is_partial and wanted or 1, from_monthly, from_credits, 0, 0, 0)
  note_open(changes, period(account), from_monthly, from_credits)
  local reservation = reservation_of(sub(key, -UUID_LENGTH), account[EPOCH], expires_text, period(account),
    from_monthly, from_credits, view(account, limit), use, claim_key)
  put(id, reservation)
  if claim_key then claims[claim_key] = { body, id, false } end
  return reservation
end

-- Does the call whose arguments begin at an index.
local function run(at, key, second_key)
  local what, id = ARGV[at], ARGV[at + 1]
  if what == 's' then return close(key, id, 0, false, '') end
  if what == 'S' then return close(key, id, ARGV[at + 2] + 0, ARGV[at + 3] == '1', ARGV[at + 4]) end
  if what == 'd' then return take_off(key, second_key, unpack(ARGV, at + 2, at + 9)) end
  local claim_key = what ~= 't' and second_key or nil
  return reserve(key, id, ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], what, claim_key, ARGV[at + 5])
end

-- The numbers without the zeros at the end.
local function sums_text(sums)
  local last = 6
  while last > 1 and sums[last] == 0 do last = last - 1 end
  return concat(sums, '|', 1, last)
end

-- The value of an account in the stream entry; nil when nothing changed.
local function value_of(key)
  local changes, account = touched[key], accounts[key]
  local value = account and state(account) or changes.epoch
  local head_length = #value
  if changes.uses then
    for use, sums in pairs(changes.uses) do value = value .. ';u' .. use .. '|' .. sums_text(sums) end
  end
  if changes.open_monthly ~= 0 or changes.open_credits ~= 0 then
    value = value .. ';o' .. changes.opened_in .. '|' .. changes.open_monthly .. '|' .. changes.open_credits
  end
  if changes.parts then value = value .. ';' .. concat(changes.parts, ';') end
  return #value > head_length and value or nil
end

local function write(stream)
  if #opened > 0 then call('HSET', open_key, unpack(opened)) end
  if #closed > 0 then call('HDEL', open_key, unpack(closed)) end
  local entry = {}
  for i = 1, #touched do
    local key = touched[i]
    local account = accounts[key]
    if account and account.changed then save_account(account) end
    local value = value_of(key)
    if value then
      entry[#entry + 1] = sub(key, -UUID_LENGTH)
      entry[#entry + 1] = value
    end
  end
  if #entry > 0 then call('XADD', stream, '*', unpack(entry)) end
end

local key_at, arg_at = 1, 5
while arg_at <= #ARGV do
  local count, stream = ARGV[arg_at] + 0, KEYS[key_at + 1]
  open_key, moved_key = KEYS[key_at], KEYS[key_at + 2]
  key_at = key_at + 3
  accounts, in_open, opened, closed, closed_at, touched = {}, {}, {}, {}, {}, {}
  local ids, at = {}, arg_at + 1
  for i = 1, count do
    ids[i] = ARGV[at + 1]
    at = at + LENGTHS[ARGV[at]]
  end
  local reservations = call('HMGET', open_key, unpack(ids))
  for i = 1, count do in_open[ids[i]] = reservations[i] end
  at = arg_at + 1
  for i = 1, count do
    local what = ARGV[at]
    local has_second = what == 'c' or what == 'C' or what == 'd'
    local ok, answer = pcall(run, at, KEYS[key_at], has_second and KEYS[key_at + 1])
    answers[#answers + 1] = ok and answer or 'error|' .. tostring(answer)
    key_at = key_at + (has_second and 2 or 1)
    at = at + LENGTHS[what]
  end
  arg_at = at
  write(stream)
end
-- On a Cluster a claim's key has the slot of its account's, because both begin with the same tag.
for key, claim in pairs(claims) do
  call('HSET', key, 'body', claim[1], 'id', claim[2])
  call('PEXPIREAT', key, expires_text)
end
for key, claim in pairs(closed_claims) do
  if call('HGET', key, 'id') == claim[1] then
    if claim[2] ~= '' then
      call('HSET', key, 'answer', claim[2])
      call('PEXPIRE', key, keep_answer)
    else
      call('DEL', key)
    end
  end
end
return answers
