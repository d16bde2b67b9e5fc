-- Lists the open reservations whose time is over, one step of a scan at a time.
--
-- KEYS  1 open
-- ARGV  1 cursor, '0' to begin, 2 reservations to look at
-- Answers the next cursor ('0' at the end), then the id, the account id and the use of each reservation.

local step = call('HSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local due = { step[1] }
for at = 1, #step[2], 2 do
  local reservation = step[2][at + 1]
  if expires_of(reservation) <= now then
    due[#due + 1], due[#due + 2], due[#due + 3] = step[2][at], account_id_of(reservation), use_of(reservation)
  end
end
return due
