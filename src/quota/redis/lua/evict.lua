-- Removes an account whose counters differ from Postgres. The next script that needs it answers 'cold'.
--
-- KEYS  1 account
-- ARGV  1 epoch whose counters differ; an account of another epoch stays
-- Answers 1 when the account was removed, else 0.

if call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
return call('DEL', KEYS[1])
