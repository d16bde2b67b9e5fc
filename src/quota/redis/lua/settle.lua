-- Closes reservations once: gives back some units, credits first, or all of them when their time is over; for
-- many at once, in groups of one shard each.
--
-- KEYS  of each group: 1 open, 2 done, 3 done before, 4 event stream, then of each reservation: its account
-- ARGV  1 quota of plan free, 2 of plan pro, 3 ms for which answers are kept, then of each group: number of
--       reservations, then of each reservation: its id when nothing goes back and nobody is told, else id|units
--       to give back, or -1 to close it only when its time is over|'1' to be told the balance or '0', and right
--       behind it the answer for the claim, none to release it
-- Answers for each 'settled|view', 'expired|view', or 'unknown|epoch of the account|view' when there is no such
--   reservation here, the view only when it was asked for; 'open' when its time is not over; 'cold' and
--   'error|text' as reserve.

local KEYS, ARGV = KEYS, ARGV
local free, pro, keep_answer = ARGV[1], ARGV[2], ARGV[3]
local answers, accounts, claims, closed_here = {}, {}, {}, {}
-- Of the group at hand; made once, as growing a table costs more than filling it. Beyond n they hold old things.
local ids, closed_ids, records, events, changed = {}, {}, {}, {}, {}
local done, before, in_open, n, n_changed

-- As it would be now: a month that is over is not written before something is taken in the next.
local function shown(account)
  local limit = limit_of(account, free, pro)
  if now < account[ENDS] + 0 then return view(account, limit) end
  return view({ this_ends_text, '0', '0', account[CR] }, limit)
end

-- Gives units of a reservation back to its account, all when refund is nil. Returns the event.
local function give_back(account, record, refund)
  local from_monthly, from_credits, taken_in = match(record, TAKEN)
  local credits = min(refund or from_monthly + from_credits, from_credits + 0)
  local monthly = min((refund or from_monthly + from_credits) - credits, from_monthly + 0)
  account[CR], account.credits_moved = format('%d', account[CR] + credits), true
  if taken_in == period(account) then
    account[CU], account[MU] = format('%d', account[CU] - credits), format('%d', account[MU] - monthly)
  else
    -- A unit of a past month dies with it.
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
  -- Nothing goes back and nothing is told: the account need not be read.
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
-- A claim lies in the slot of its account: its key begins with the same tag.
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
