-- Sets the limit of an account, unless it has the limit of a later version.
--
-- KEYS  1 account
-- ARGV  1 its own monthly quota, or 'free' or 'pro', 2 version of the limit
-- Answers 'known', or 'cold' when Redis does not know the account.

local version = call('HGET', KEYS[1], 'version')
if not version then return 'cold' end
if ARGV[2] + 0 > version + 0 then call('HSET', KEYS[1], 'limit', ARGV[1], 'version', ARGV[2]) end
return 'known'
