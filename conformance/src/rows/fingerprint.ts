// The device fingerprint script as far as HTTP shows it. Interface, "Prerequisite: device fingerprint script"; decision 28.
import { equal, holds } from '../expect.ts';
import type { Row } from '../row.ts';

const SCRIPT = '/v1/fingerprints/device';

export const fingerprintRows: readonly Row[] = [
  {
    id: 'fingerprint/script',
    title: 'the script is there for a script tag: without a token, as JavaScript, and names the function it calls',
    pins: 'Interface, "Prerequisite: device fingerprint script"; decision 28',
    run: async ({ api }) => {
      const reply = await api.send({ path: SCRIPT, authorization: null });
      equal('HTTP status', reply.status, 200);
      const type = reply.headers.get('content-type') ?? 'no Content-Type header';
      holds(/^(text|application)\/javascript\b/i.test(type), 'Content-Type to be JavaScript', type);
      holds(reply.text.includes('deviceFingerprint'), 'the script to name deviceFingerprint', reply.text.slice(0, 200));
    },
  },
  {
    id: 'fingerprint/script-any-page',
    title: 'a page of another origin may load the script, and gets no cookie with it',
    pins: 'Interface, "Prerequisite: device fingerprint script"; decision 28',
    run: async ({ api }) => {
      const headers = { referer: 'https://tenant.example.com/apply', 'sec-fetch-site': 'cross-site' };
      const reply = await api.send({ path: SCRIPT, authorization: null, headers });
      equal('HTTP status', reply.status, 200);
      const policy = reply.headers.get('cross-origin-resource-policy') ?? 'cross-origin';
      equal('Cross-Origin-Resource-Policy', policy, 'cross-origin');
      equal('cookies', reply.headers.getSetCookie(), []);
    },
  },
];
