-- A mix of requests to a Tessera gateway, each answer checked; a wrong one makes the run exit with 1. wrk2 keeps a rate:
--
--   wrk -t2 -c64 -d60s -s <this file> <address>
--   wrk2 -t2 -c64 -d60s -R100 -s <this file> <address>
--
-- It holds keys: keep it to yourself. The address is that of the gateway that it was made for.
local ffi = require('ffi')

local MIX = nil

local GOLDEN = (math.sqrt(5) - 1) / 2
-- Serial numbers have nine digits, and each thread has ten million of its own.
local FIRST, EACH = 100000000, 10000000
local DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
local threads = {}

ffi.cdef([[
  const void *EVP_sha256(void);
  unsigned char *HMAC(const void *md, const void *key, int key_len, const char *d, size_t n, char *out, unsigned *out_len);
]])

local function base64url(text)
  local out = {}
  for i = 1, #text, 3 do
    local a, b, c = text:byte(i, i + 2)
    local bits = a * 65536 + (b or 0) * 256 + (c or 0)
    for digit = 0, c and 3 or b and 2 or 1 do
      local at = math.floor(bits / 64 ^ (3 - digit)) % 64 + 1
      out[#out + 1] = DIGITS:sub(at, at)
    end
  end
  return table.concat(out)
end

-- OpenSSL is part of wrk.
local function hmac(key, text)
  local out = ffi.new('char[32]')
  ffi.C.HMAC(ffi.C.EVP_sha256(), key, #key, text, #text, out, nil)
  return ffi.string(out, 32)
end

local function fill(text)
  local filled = text:gsub(MIX.run, run):gsub(MIX.serial, string.format('%d', FIRST + EACH * id + count))
  return filled
end

local function path_of(request)
  if request.path then return fill(request.path) end
  local picture = MIX.secret.id .. '.' .. base64url(fill(request.parameters)) .. '.png'
  return '/i/' .. base64url(hmac(MIX.secret.secret, picture)) .. '/' .. picture
end

local function is_good(good, status, body)
  return status == good.status
    and body:find(good.start, 1, true) ~= nil
    and body:find(good['end'], math.max(1, #body - MIX.endBytes), true) ~= nil
end

function setup(thread)
  thread:set('id', #threads)
  threads[#threads + 1] = thread
end

function init()
  run = string.format('%08x', os.time())
  count, wrong = 0, 0
end

function request()
  local at = (count * GOLDEN) % 1
  local kind = MIX.kinds[#MIX.kinds]
  for _, one in ipairs(MIX.kinds) do
    if at < one.below then
      kind = one
      break
    end
  end
  local chosen = kind.requests[count % #kind.requests + 1]
  local made = wrk.format(chosen.method, path_of(chosen), chosen.headers, chosen.body and fill(chosen.body))
  count = count + 1
  return made
end

-- wrk does not tell which request was answered: an answer is wrong when it is right for no kind.
function response(status, _, body)
  for _, kind in ipairs(MIX.kinds) do
    if is_good(kind.good, status, body) then return end
  end
  wrong = wrong + 1
  if wrong == 1 then io.stderr:write('wrong answer: ', status, ' ', body:sub(1, 300), '\n') end
end

function done()
  local all = 0
  for _, thread in ipairs(threads) do
    all = all + thread:get('wrong')
  end
  io.write('wrong answers: ', all, '\n')
  if all > 0 then os.exit(1) end
end
