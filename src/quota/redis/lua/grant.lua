-- Adds the credits of a grant, once.
--
-- KEYS  1 account, 2 event stream, 3 marker of the grant
-- ARGV  1 grant id, 2 account id, 3 epoch of the account, 4 amount, 5 ms for which the marker stays
-- The caller reads the epoch before it asks Postgres which grants are not part of the balance, because a later
-- epoch may have begun with these credits.
-- Answers 'added', 'known' when the credits were added before, or 'stale' when the epoch is over.

local account = load_account(KEYS[1])
if not account or account[EPOCH] ~= ARGV[3] then return 'stale' end
if not call('SET', KEYS[3], '1', 'NX', 'PX', ARGV[5]) then return 'known' end
account[CR], account.credits_moved = format('%d', account[CR] + ARGV[4]), true
save_account(KEYS[1], account)
call('XADD', KEYS[2], '*', 'grant', '', ARGV[1], 'b' .. ARGV[2] .. '|' .. account[EPOCH] .. '|' .. period(account)
  .. '|0|' .. ARGV[4] .. '|' .. view(account, '0'))
return 'added'
