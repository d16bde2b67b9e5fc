-- Gives an account what Postgres has recorded for it, once: the credits of a grant, or the units that a hold returns.
--
-- KEYS  1 account, 2 stream of changes, 3 marker
-- ARGV  1 id of the grant or hold, 2 epoch of the account, 3 ms for which the marker stays, 4 credits, then for a hold
--       5 its period, 6 monthly units, 7 use
-- The caller reads the epoch before it asks Postgres what is pending, because a later epoch may already include it.
-- Answers 'given', 'known' when it was given before, or 'stale' when the epoch is over.

local account = load_account(KEYS[1])
if not account or account[EPOCH] ~= ARGV[2] then return 'stale' end
if not call('SET', KEYS[3], '1', 'NX', 'PX', ARGV[3]) then return 'known' end
roll(account)
local credits, part = ARGV[4] + 0, nil
if ARGV[5] then
  local monthly, to_credits, late = return_units(account, ARGV[5], ARGV[6] + 0, credits)
  count_for_keys(account, ARGV[7], -monthly - to_credits)
  part = format(';u%s|0|0|0|%d|%d|%d;r%s', ARGV[7], monthly, to_credits, late, ARGV[1])
else
  account[CR], account.credits_moved = format('%d', account[CR] + credits), true
  part = format(';g%s|%d', ARGV[1], credits)
end
account.credits_moved = true
save_account(account)
call('XADD', KEYS[2], '*', sub(KEYS[1], -UUID_LENGTH), state(account) .. part)
return 'given'
