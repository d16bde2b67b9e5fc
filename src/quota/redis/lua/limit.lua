-- Takes over what an account may use a month, unless a later change is known.
--
-- KEYS  1 account
-- ARGV  1 its own monthly quota, or 'free' or 'pro', 2 version
-- Answers 'known', or 'cold' when the account is unknown here.

local version = call('HGET', KEYS[1], 'version')
if not version then return 'cold' end
if ARGV[2] + 0 > version + 0 then call('HSET', KEYS[1], 'limit', ARGV[1], 'version', ARGV[2]) end
return 'known'
