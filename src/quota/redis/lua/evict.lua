-- Makes an account unknown, because its counters are not what Postgres holds.
--
-- KEYS  1 account
-- ARGV  1 epoch that was found wrong; a later one stays
-- Answers 1 when the account was made unknown, else 0.

if call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
return call('DEL', KEYS[1])
