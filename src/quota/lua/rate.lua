-- Counts a request in the fixed window of each of its limits, up to the first that is exceeded: what a limit
-- refuses uses up nothing of the limits behind it. Needs nothing of the ledger.
--
-- KEYS  1.. counters, all on one node
-- ARGV  1 length of a window in milliseconds, 2.. what each counter may reach
-- Answers the counts and the milliseconds that are left of their windows, in turn, of those that were counted.

local answer = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCR', key)
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', key, left)
  end
  answer[#answer + 1] = count
  answer[#answer + 1] = left
  if count > tonumber(ARGV[i + 1]) then break end
end
return answer
