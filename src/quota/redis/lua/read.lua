-- Reads the balance of an account as of now; writes nothing.
--
-- KEYS  1 account
-- ARGV  1 quota of plan free, 2 of plan pro
-- Answers 'known|epoch|view', or 'cold|ms of the clock' when Redis does not know the account.

local account = load_account(KEYS[1])
if not account then return 'cold|' .. format('%d', now) end
roll(account)
return 'known|' .. account[EPOCH] .. '|' .. view(account, limit_of(account, ARGV[1], ARGV[2]))
