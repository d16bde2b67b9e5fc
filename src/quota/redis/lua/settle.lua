-- Closes reservations, each once. Some units go back, credits first; all go back when the reservation's time is over.
-- One run closes many, in groups of one shard each.
--
-- KEYS  of each group: 1 open, 2 done, 3 done before, 4 event stream, then of each reservation: its account
-- ARGV  1 quota of plan free, 2 of plan pro, 3 ms for which answers are kept, then of each group: number of
--       reservations, then one text of each reservation: its id alone, when nothing goes back, the balance is not
--       wanted and no answer is kept; else id|refund|told, directly followed by the answer for the claim. Without an
--       answer the claim is released. The refund is the units to give back, or -1 to close the reservation only when
--       its time is over. Told is '1' when the balance is wanted, else '0'.
-- Answers for each reservation one text, whose view is empty unless the balance is wanted:
--   'settled|view'            it is closed, now or before, and its work is paid
--   'expired|view'            it is closed, now or before, and all its units went back
--   'unknown|epoch|view'      the account has no such reservation here; epoch is the account's
--   'open'                    its time is not over, and the refund was -1
--   'cold', 'error|text'      as in reserve.lua

local KEYS, ARGV = KEYS, ARGV
local free, pro, keep_answer = ARGV[1], ARGV[2], ARGV[3]
local answers, accounts, claims, closed_here = {}, {}, {}, {}
-- Tables of the present group, reused by every group, because growing a table costs more than filling it. Entries
-- beyond the counts are left over from earlier groups.
local ids, closed_ids, records, events, changed = {}, {}, {}, {}, {}
local done, before, in_open, n, n_changed

-- The view as of now. A new month is written only when something is taken in it.
local function shown(account)
  local limit = limit_of(account, free, pro)
  if now < account[ENDS] + 0 then return view(account, limit) end
  return view({ this_ends_text, '0', '0', account[CR] }, limit)
end

-- Gives back refund units of a reservation, or all when refund is nil. Returns the event.
local function give_back(account, record, refund)
  local from_monthly, from_credits, taken_in = match(record, TAKEN)
  local credits = min(refund or from_monthly + from_credits, from_credits + 0)
  local monthly = min((refund or from_monthly + from_credits) - credits, from_monthly + 0)
  account[CR], account.credits_moved = format('%d', account[CR] + credits), true
  if taken_in == period(account) then
    account[CU], account[MU] = format('%d', account[CU] - credits), format('%d', account[MU] - monthly)
  else
    -- A monthly unit of a past month does not go back.
    monthly = 0
  end
  return format('b%s|%s|%s|%d|%d|%s', account_id_of(record), account[EPOCH], taken_in, -monthly, credits,
    view(account, '0'))
end

local function account_of(key)
  if accounts[key] == nil then accounts[key] = load_account(key) end
  return accounts[key]
end

local function settle(i, account_key, arg)
  local id, refund, told, answer = ids[i], 0, false, ''
  if #arg > UUID_LENGTH then
    refund, told, answer = match(arg, '^[^|]*|(-?%d+)|([01])(.*)$')
    refund, told = refund + 0, told == '1'
  end
  local record, closed = in_open[i], closed_here[id]
  if closed or not record then
    closed = closed or call('HGET', done, id) or call('HGET', before, id)
    record = closed
  end
  local is_mine = record and sub(account_key, -UUID_LENGTH) == account_id_of(record)
  local paid = is_mine and is_taken(record) and (closed or now < expires_of(record))
  -- When nothing goes back and the balance is not wanted, the account need not be read.
  local plain = paid and not closed and refund == 0 and not told
  local account = not plain and account_of(account_key)
  if not plain and not account then return 'cold' end
  if not is_mine then return 'unknown|' .. account[EPOCH] .. '|' .. (told and shown(account) or '') end

  if not closed then
    if paid and refund < 0 then return 'open' end
    local event = nil
    if account and not is_of_epoch(record, account) then
      paid = false
    elseif not paid or refund > 0 then
      event = give_back(account, record, paid and refund or nil)
      if not account.is_changed then
        account.is_changed, n_changed = true, n_changed + 1
        changed[n_changed] = account_key
      end
    end
    if has_claim(record) then claims[match(record, CLAIM)] = { id, paid and answer or '' } end
    if not paid then record = expired(record) end
    closed_here[id] = record
    n = n + 1
    closed_ids[n], records[2 * n - 1], records[2 * n] = id, id, record
    events[2 * n - 1], events[2 * n] = id, event or record
  end
  return (paid and 'settled|' or 'expired|') .. (told and shown(account) or '')
end

local key_at, arg_at, n_answers = 1, 4, 0
while arg_at <= #ARGV do
  local open, stream = KEYS[key_at], KEYS[key_at + 3]
  done, before = KEYS[key_at + 1], KEYS[key_at + 2]
  local count = ARGV[arg_at] + 0
  key_at = key_at + 3
  for i = 1, count do ids[i] = sub(ARGV[arg_at + i], 1, UUID_LENGTH) end
  in_open = call('HMGET', open, unpack(ids, 1, count))
  n, n_changed = 0, 0
  for i = 1, count do
    local ok, answer = pcall(settle, i, KEYS[key_at + i], ARGV[arg_at + i])
    n_answers = n_answers + 1
    answers[n_answers] = ok and answer or 'error|' .. tostring(answer)
  end
  key_at, arg_at = key_at + 1 + count, arg_at + 1 + count
  if n > 0 then
    call('HDEL', open, unpack(closed_ids, 1, n))
    call('HSET', done, unpack(records, 1, 2 * n))
    for i = 1, n_changed do save_account(changed[i], accounts[changed[i]]) end
    call('XADD', stream, '*', 'settle', '', unpack(events, 1, 2 * n))
  end
end
-- On a Cluster a claim's key has the slot of its account's, because both begin with the same tag.
for key, claim in pairs(claims) do
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
