-- Reads a consistent snapshot of what is compared with Postgres; writes nothing.
--
-- KEYS  1 stream, 2 open, 3 and up: accounts, all of one shard
-- Answers the id of the last entry of the stream ('' when it is empty), a list of the reservations in open, a list with
--   'ends mu cu cr' of each account ('' when Redis does not know it), and a list with the fields and values of each.

local counters, fields = {}, {}
for at = 3, #KEYS do
  local found = call('HMGET', KEYS[at], 'ends', 'mu', 'cu', 'cr')
  counters[at - 2] = found[1] and concat(found, ' ') or ''
  fields[at - 2] = call('HGETALL', KEYS[at])
end
local last = call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
return { last and last[1] or '', call('HVALS', KEYS[2]), counters, fields }
