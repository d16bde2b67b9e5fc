-- Lists the open reservations whose time is over, one step of a scan at a time. The first step of a scan also
-- forgets reservations that were closed long ago.
--
-- KEYS  1 open, 2 done, 3 done before
-- ARGV  1 cursor, '0' to begin, 2 reservations to look at, 3 ms for which closed ones are remembered at least
-- Answers the next cursor ('0' at the end), then the id and the account id of each reservation.

local keep = ARGV[3] + 0
local step = call('HSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local due = { step[1] }
for at = 1, #step[2], 2 do
  local record = step[2][at + 1]
  if expires_of(record) <= now then due[#due + 1], due[#due + 2] = step[2][at], account_id_of(record) end
end

if ARGV[1] == '0' and call('EXISTS', KEYS[2]) == 1 then
  local since = call('HGET', KEYS[2], 'since')
  if not since then
    call('HSET', KEYS[2], 'since', format('%d', now))
  elseif now - since > keep then
    call('UNLINK', KEYS[3])
    call('RENAME', KEYS[2], KEYS[3])
    call('PEXPIRE', KEYS[3], 2 * keep)
  end
end
return due
