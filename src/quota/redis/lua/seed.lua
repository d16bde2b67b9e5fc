-- Seeds an account from Postgres, unless Redis knows it already.
--
-- KEYS  1 account, 2 open
-- ARGV  1 ms of the clock after which nothing is written, because the seeder may have lost its lock on the shard,
--       2 account id, 3 epoch, 4 ends ms, 5 monthly used, 6 credits used, 7 credits left, 8 limit, 9 version,
--       then of each open reservation: id, expires ms|from monthly|from credits|view
-- Answers 'seeded', 'known', or 'late' when the time of ARGV 1 is past.

if call('EXISTS', KEYS[1]) == 1 then return 'known' end
if now > ARGV[1] + 0 then return 'late' end
for at = 10, #ARGV, 2 do
  call('HSET', KEYS[2], ARGV[at], seeded_record(ARGV[2], ARGV[3], ARGV[at + 1]))
end
call('HSET', KEYS[1], 'ends', ARGV[4], 'mu', ARGV[5], 'cu', ARGV[6], 'cr', ARGV[7], 'limit', ARGV[8],
  'version', ARGV[9], 'epoch', ARGV[3])
call('PEXPIREAT', KEYS[1], format('%d', max(ARGV[4] + 0, now) + 31 * 86400000))
return 'seeded'
