-- Makes reservations: each takes all of its units or none, first from the monthly quota, then from the credits. One
-- run makes many, in groups of one shard each.
--
-- KEYS  of each group: 1 open, 2 done, 3 done before, 4 event stream, then of each reservation: its account, and
--       its claim when it has an Idempotency-Key
-- ARGV  1 time to live ms, 2 quota of plan free, 3 of plan pro, then of each group: number of reservations,
--       then of each reservation: id|units, or id|units|SHA-256 of the body with an Idempotency-Key
-- Answers for each reservation one text:
--   its record                when it is admitted, now or before; it begins with 'o' or 'e' and the account id
--   'exhausted|view'          when fewer units are left
--   'replay|answer'           when settle has stored an answer under the claim
--   'mismatch'                when the claim has another body
--   'running'                 when the first request with the claim has not ended
--   'cold'                    when Redis does not know the account; nothing was done
--   'error|text'              when stored data are damaged

local KEYS, ARGV = KEYS, ARGV
local free, pro = ARGV[2], ARGV[3]
-- Position of the units, after an id and its bar.
local UNITS_FIRST = UUID_LENGTH + 2
local expires_text = format('%d', now + ARGV[1])
local answers, accounts, claims, taken_here = {}, {}, {}, {}
-- Tables of the present group, reused by every group, because growing a table costs more than filling it. Entries
-- beyond the counts are left over from earlier groups.
local ids, taken, changed = {}, {}, {}
local in_open, in_done, in_before, n_taken, n_changed

local function account_of(key)
  local account = accounts[key]
  if account == nil then
    account = load_account(key)
    if account then roll(account) end
    accounts[key] = account
  end
  return account
end

local function reserve(i, account_key, units, claim_key, body)
  local account = account_of(account_key)
  if not account then return 'cold' end

  -- A repeated id gets the same answer, unless its epoch is over.
  local id = ids[i]
  local earlier = taken_here[id] or in_open[i] or in_done[i] or in_before[i]
  if earlier and is_of_epoch(earlier, account) then return earlier end

  if claim_key then
    local claim = claims[claim_key] or call('HMGET', claim_key, 'body', 'id', 'answer')
    if claim[2] then
      if claim[1] ~= body then return 'mismatch' end
      return claim[3] and 'replay|' .. claim[3] or 'running'
    end
  end

  local limit, from_monthly, from_credits = limit_of(account, free, pro), units, 0
  local left = limit - account[MU]
  if units > left then
    from_monthly = max(left, 0)
    from_credits = units - from_monthly
    if from_credits > account[CR] + 0 then return 'exhausted|' .. view(account, limit) end
    account[CU], account[CR] = format('%d', account[CU] + from_credits), format('%d', account[CR] - from_credits)
    account.credits_moved = true
  end
  account[MU] = format('%d', account[MU] + from_monthly)
  if not account.is_changed then
    account.is_changed, n_changed = true, n_changed + 1
    changed[n_changed] = account_key
  end
  local record = taken_record(sub(account_key, -UUID_LENGTH), account, expires_text, from_monthly, from_credits, limit,
    claim_key)
  taken_here[id] = record
  taken[n_taken + 1], taken[n_taken + 2] = id, record
  n_taken = n_taken + 2
  if claim_key then claims[claim_key] = { body, id, false } end
  return record
end

local key_at, arg_at, n_answers = 1, 4, 0
while arg_at <= #ARGV do
  local open, done, before, stream = KEYS[key_at], KEYS[key_at + 1], KEYS[key_at + 2], KEYS[key_at + 3]
  local count = ARGV[arg_at] + 0
  key_at = key_at + 4
  for i = 1, count do ids[i] = sub(ARGV[arg_at + i], 1, UUID_LENGTH) end
  in_open = call('HMGET', open, unpack(ids, 1, count))
  in_done = call('HMGET', done, unpack(ids, 1, count))
  in_before = call('HMGET', before, unpack(ids, 1, count))
  n_taken, n_changed = 0, 0
  for i = 1, count do
    local arg, account_key, claim_key, body = ARGV[arg_at + i], KEYS[key_at], nil, nil
    local units = tonumber(sub(arg, UNITS_FIRST))
    key_at = key_at + 1
    if not units then
      claim_key = KEYS[key_at]
      key_at = key_at + 1
      units, body = match(arg, '^[^|]*|(%d+)|(.*)$')
      units = units + 0
    end
    local ok, answer = pcall(reserve, i, account_key, units, claim_key, body)
    n_answers = n_answers + 1
    answers[n_answers] = ok and answer or 'error|' .. tostring(answer)
  end
  arg_at = arg_at + 1 + count
  if n_taken > 0 then
    call('HSET', open, unpack(taken, 1, n_taken))
    for i = 1, n_changed do save_account(changed[i], accounts[changed[i]]) end
    call('XADD', stream, '*', 'reserve', '', unpack(taken, 1, n_taken))
  end
end
for key, claim in pairs(claims) do
  call('HSET', key, 'body', claim[1], 'id', claim[2])
  call('PEXPIREAT', key, expires_text)
end
return answers
