// A mix of requests to a Tessera gateway, each answer checked; a wrong one makes the run fail.
//
//   k6 run -e RATE=100 -e DURATION=60s <this file>
//
// It holds keys: keep it to yourself.
import { check } from 'k6';
import crypto from 'k6/crypto';
import encoding from 'k6/encoding';
import exec from 'k6/execution';
import http from 'k6/http';

const MIX = null;

const GOLDEN = (Math.sqrt(5) - 1) / 2;
const FIRST = 100_000_000;
const RUN = Date.now().toString(36);

export const options = {
  scenarios: {
    mix: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 100),
      timeUnit: '1s',
      duration: __ENV.DURATION || '30s',
      preAllocatedVUs: 100,
      maxVUs: 2000,
    },
  },
  thresholds: { checks: ['rate==1'], dropped_iterations: ['count==0'] },
};

const pathOf = ({ path, parameters }, fill) => {
  if (parameters === undefined) return fill(path);
  const picture = `${MIX.secret.id}.${encoding.b64encode(fill(parameters), 'rawurl')}.png`;
  return `/i/${crypto.hmac('sha256', MIX.secret.secret, picture, 'base64rawurl')}/${picture}`;
};

export default () => {
  const serial = exec.scenario.iterationInTest;
  const at = (serial * GOLDEN) % 1;
  const { name, good, requests } =
    MIX.kinds.find(({ below }) => at < below) || MIX.kinds[MIX.kinds.length - 1];
  const request = requests[serial % requests.length];
  const fill = (text) =>
    text
      .split(MIX.run)
      .join(RUN)
      .split(MIX.serial)
      .join(String(FIRST + serial));
  const sent = request.body === undefined ? null : fill(request.body);
  const answer = http.request(request.method, MIX.url + pathOf(request, fill), sent, {
    headers: request.headers,
    redirects: 0,
    responseCallback: http.expectedStatuses(good.status),
    tags: { name },
  });
  const body = answer.body || '';
  check(answer, {
    [name]: () =>
      answer.status === good.status &&
      body.includes(good.start) &&
      body.includes(good.end, Math.max(0, body.length - MIX.endBytes)),
  });
};
