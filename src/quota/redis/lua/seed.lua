-- Seeds an account from Postgres, unless Redis knows it already. What Postgres counts as open becomes the remainder, which
-- expires like a reservation.
--
-- KEYS  1 account, 2 open, 3 stream of changes
-- ARGV  1 ms of the clock after which nothing is written, because the seeder may have lost its lock on the shard,
--       2 epoch, 3 ends ms, 4 monthly used, 5 credits used, 6 credits left, 7 limit, 8 version, 9 period, 10 open monthly,
--       11 open credits, 12 their use, 13 ms after which the remainder expires, 14 and 15 ms and number of the position up
--       to which the stream is applied, then the id of each API key that has used units in the month, and how many
-- Answers 'seeded', 'known', or 'late' when the time of ARGV 1 is past.

if call('EXISTS', KEYS[1]) == 1 then return 'known' end
if now > ARGV[1] + 0 then return 'late' end
local account_id, epoch = sub(KEYS[1], -UUID_LENGTH), ARGV[2]
call('HDEL', KEYS[2], account_id)
if ARGV[10] + ARGV[11] > 0 then
  call('HSET', KEYS[2], account_id, reservation_of(account_id, epoch, format('%d', now + ARGV[13]), ARGV[9], ARGV[10],
    ARGV[11], ARGV[9] .. '|0|0|0|0|0', ARGV[12]))
end

-- New entries must come after the position, also when this server's clock is behind. Redis refuses an id that is not
-- above all others, and then nothing has to be done.
if now <= ARGV[14] + 0 then
  redis.pcall('XADD', KEYS[3], ARGV[14] .. '-' .. format('%d', ARGV[15] + 1), account_id, epoch)
end
call('HSET', KEYS[1], 'ends', ARGV[3], 'mu', ARGV[4], 'cu', ARGV[5], 'cr', ARGV[6], 'limit', ARGV[7], 'version', ARGV[8],
  'epoch', epoch)
for at = 16, #ARGV, 2 do call('HSET', KEYS[1], 'k' .. ARGV[at], ARGV[at + 1]) end
call('PEXPIREAT', KEYS[1], format('%d', max(ARGV[3] + 0, now) + 31 * 86400000))
return 'seeded'
