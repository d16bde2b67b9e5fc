-- Closes reservations once: gives back some units, credits first, or all of them when their time is over; for
-- many at once, in groups of one shard each.
--
-- KEYS  of each group: 1 open, 2 done, 3 done before, 4 event stream, then of each reservation: its account
-- ARGV  1 quota of plan free, 2 of plan pro, 3 ms for which answers are kept, then of each group: number of
--       reservations, then of each reservation: id, units to give back or -1 to close it only when its time is
--       over, '1' to be told the balance or '0' and right behind it the answer for the claim, none to release it
-- Answers for each 'settled|view', 'expired|view', or 'unknown|life of the account|view' when there is no such
--   reservation here, the view only when it was asked for; 'open' when its time is not over; 'cold' and
--   'error|text' as reserve.

local free, pro, keep_answer = ARGV[1], ARGV[2], ARGV[3]
local key_at, arg_at = 1, 4
local answers = {}
local LETTER_O, BAR, ONE = byte('o'), byte('|'), byte('1')
local CLAIM = '^[^|]*|[^|]*|%d+|%d+|%d+|[^|]*|%d+|%d+|%d+|%d+|%d+|(.*)$'

-- As it would be now: a month that is over is not written before something is taken in the next.
local function shown(account)
  local limit = limit_of(account, free, pro)
  if now < account.ends then return view(account, limit) end
  return view({ period = this_period, ends = this_ends, mu = 0, cu = 0, cr = account.cr }, limit)
end

-- Gives units of a reservation back to its account, all when refund is nil. Returns the event.
local function give_back(account, record, refund)
  local from_monthly, from_credits, period = match(record, '^[^|]*|[^|]*|%d+|(%d+)|(%d+)|([^|]*)|')
  local credits = min(refund or from_monthly + from_credits, from_credits + 0)
  local monthly = min((refund or from_monthly + from_credits) - credits, from_monthly + 0)
  account.cr, account.credits_moved = account.cr + credits, true
  if period == account.period then
    account.cu, account.mu = account.cu - credits, account.mu - monthly
  else
    -- A unit of a past month dies with it.
    monthly = 0
  end
  return format('b%s|%s|%s|%d|%d|%s', sub(record, 2, 37), account.life, period, -monthly, credits,
    view(account, '0'))
end

local function settle_group()
  local open, done, before, stream = KEYS[key_at], KEYS[key_at + 1], KEYS[key_at + 2], KEYS[key_at + 3]
  local count = ARGV[arg_at] + 0
  local first_key, first_arg = key_at + 4, arg_at + 1
  key_at, arg_at = first_key + count, first_arg + 3 * count

  local ids = {}
  for i = 1, count do ids[i] = ARGV[first_arg + 3 * i - 3] end
  local in_open = call('HMGET', open, unpack(ids))
  local accounts, changed, claims, closed_here = {}, {}, {}, {}
  local closed_ids, records, events, n = {}, {}, {}, 0

  local function account_of(key)
    if accounts[key] == nil then accounts[key] = load_account(key) end
    return accounts[key]
  end

  local function settle(i)
    local account_key, at = KEYS[first_key + i - 1], first_arg + 3 * i - 3
    local id, refund, told = ids[i], ARGV[at + 1] + 0, byte(ARGV[at + 2]) == ONE
    local record, closed = in_open[i], closed_here[id]
    if closed or not record then
      closed = closed or call('HGET', done, id) or call('HGET', before, id)
      record = closed
    end
    local is_mine = record and find(account_key, sub(record, 2, 37), -36, true)
    local paid = is_mine and byte(record) == LETTER_O and (closed or now < sub(record, 48, 60) + 0)
    -- Nothing goes back and nothing is told: the account need not be read.
    local plain = paid and not closed and refund == 0 and not told
    local account = not plain and account_of(account_key)
    if not plain and not account then return 'cold' end
    if not is_mine then return 'unknown|' .. account.life .. '|' .. (told and shown(account) or '') end

    if not closed then
      if paid and refund < 0 then return 'open' end
      local event = nil
      if account and not is_of_life(record, account) then
        paid = false
      elseif not paid or refund > 0 then
        event = give_back(account, record, paid and refund or nil)
        changed[account_key] = account
      end
      if byte(record, -1) ~= BAR then claims[match(record, CLAIM)] = { id, paid and sub(ARGV[at + 2], 2) or '' } end
      if not paid then record = 'e' .. sub(record, 2) end
      closed_here[id] = record
      closed_ids[n + 1] = id
      records[2 * n + 1], records[2 * n + 2] = id, record
      events[2 * n + 1], events[2 * n + 2] = id, event or record
      n = n + 1
    end
    return (paid and 'settled|' or 'expired|') .. (told and shown(account) or '')
  end

  for i = 1, count do
    local ok, answer = pcall(settle, i)
    answers[#answers + 1] = ok and answer or 'error|' .. tostring(answer)
  end
  if n == 0 then return end
  call('HDEL', open, unpack(closed_ids))
  call('HSET', done, unpack(records))
  for key, account in pairs(changed) do save_account(key, account) end
  call('XADD', stream, '*', 'settle', '', unpack(events))
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
end

while arg_at <= #ARGV do settle_group() end
return answers
