-- Forgets finished claims that Postgres keeps from now on. It needs no memory, so it also runs when Redis is full.
--
-- KEYS  1 the mark that claims of this shard are in Postgres, then the claims
-- ARGV  1 ms for which the mark stays, then for each claim the id of its reservation
-- Without claims it only sets the mark, which must come before Postgres is written. Answers how many claims it forgot.

call('SET', KEYS[1], '1', 'PX', ARGV[1])
local forgotten = 0
for at = 2, #KEYS do
  local claim = call('HMGET', KEYS[at], 'id', 'answer')
  if claim[1] == ARGV[at] and claim[2] then forgotten = forgotten + call('UNLINK', KEYS[at]) end
end
return forgotten
