-- Takes the whole of some units or nothing, monthly quota first, then credits; for many reservations at once,
-- in groups of one shard each.
--
-- KEYS  of each group: 1 open, 2 done, 3 done before, 4 event stream, then of each reservation: its account, and
--       its claim when it has an Idempotency-Key
-- ARGV  1 time to live ms, 2 quota of plan free, 3 of plan pro, then of each group: number of reservations,
--       then of each reservation: id, units, SHA-256 of the body or '' without an Idempotency-Key
-- Answers for each its record when it is admitted, 'exhausted|view', 'replay|answer' as stored by settle,
--   'mismatch', 'running', 'cold' (the account is unknown here, nothing was done) or 'error|text'. The bar is
--   the 38th character of a record, and comes sooner in the rest.

local free, pro = ARGV[2], ARGV[3]
local expires_text = format('%d', now + ARGV[1])
local key_at, arg_at = 1, 4
local answers = {}

local function reserve_group()
  local open, done, before, stream = KEYS[key_at], KEYS[key_at + 1], KEYS[key_at + 2], KEYS[key_at + 3]
  local count, first_arg = ARGV[arg_at] + 0, arg_at + 1
  key_at, arg_at = key_at + 4, first_arg + 3 * count

  local ids = {}
  for i = 1, count do ids[i] = ARGV[first_arg + 3 * i - 3] end
  local in_open, in_done, in_before =
    call('HMGET', open, unpack(ids)), call('HMGET', done, unpack(ids)), call('HMGET', before, unpack(ids))
  local accounts, changed, claims, taken_here = {}, {}, {}, {}
  local taken, n = {}, 0

  local function reserve(i, account_key, units, body, claim_key)
    local account = accounts[account_key]
    if account == nil then
      account = load_account(account_key)
      if account then roll(account) end
      accounts[account_key] = account
    end
    if not account then return 'cold' end

    -- The same id again gets the same answer, unless it is of a life that is over.
    local id = ids[i]
    local earlier = taken_here[id] or in_open[i] or in_done[i] or in_before[i]
    if earlier and is_of_life(earlier, account) then return earlier end

    if claim_key then
      local claim = claims[claim_key] or call('HMGET', claim_key, 'body', 'id', 'answer')
      if claim[2] then
        if claim[1] ~= body then return 'mismatch' end
        return claim[3] and 'replay|' .. claim[3] or 'running'
      end
    end

    local limit = limit_of(account, free, pro)
    local monthly = max(min(units, limit - account.mu), 0)
    local credits = units - monthly
    if credits > account.cr then return 'exhausted|' .. view(account, limit) end

    account.mu = account.mu + monthly
    if credits > 0 then
      account.cu, account.cr, account.credits_moved = account.cu + credits, account.cr - credits, true
    end
    changed[account_key] = account
    local record = format('o%s|%s|%s|%d|%d|%s|%d|%s|%d|%d|%d|%s', sub(account_key, -36), account.life,
      expires_text, monthly, credits, account.period, account.ends, limit, account.mu, account.cu, account.cr,
      claim_key or '')
    taken_here[id] = record
    taken[n + 1], taken[n + 2] = id, record
    n = n + 2
    if claim_key then claims[claim_key] = { body, id, false } end
    return record
  end

  for i = 1, count do
    local account_key, at, claim_key = KEYS[key_at], first_arg + 3 * i - 3, nil
    key_at = key_at + 1
    if ARGV[at + 2] ~= '' then
      claim_key = KEYS[key_at]
      key_at = key_at + 1
    end
    local ok, answer = pcall(reserve, i, account_key, ARGV[at + 1] + 0, ARGV[at + 2], claim_key)
    answers[#answers + 1] = ok and answer or 'error|' .. tostring(answer)
  end
  if n == 0 then return end
  call('HSET', open, unpack(taken))
  for key, account in pairs(changed) do save_account(key, account) end
  call('XADD', stream, '*', 'reserve', '', unpack(taken))
  for key, claim in pairs(claims) do
    call('HSET', key, 'body', claim[1], 'id', claim[2])
    call('PEXPIREAT', key, expires_text)
  end
end

while arg_at <= #ARGV do reserve_group() end
return answers
