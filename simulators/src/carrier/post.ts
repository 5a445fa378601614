// One POST of a receipt, with a limit for connecting and one for the response: to a carrier these are two failures.
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Answer } from './overrides.ts';

export type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connectMs: number;
  readonly readMs: number;
  readonly signal: AbortSignal;
};

/** Shorter than servers keep idle connections: a receipt written into a closing one would be lost. */
const IDLE_MS = 2_000;
const plain = new HttpAgent({ keepAlive: true, timeout: IDLE_MS });
const secure = new HttpsAgent({ keepAlive: true, timeout: IDLE_MS });

/** Never rejects. A connection that breaks before the response begins counts as no response. */
export function post({ url, headers, body, connectMs, readMs, signal }: Post): Promise<Answer> {
  const isSecure = url.startsWith('https:');
  return new Promise((resolve) => {
    const options = { method: 'POST', headers, signal };
    const sending = isSecure
      ? httpsRequest(url, { ...options, agent: secure })
      : httpRequest(url, { ...options, agent: plain });
    let failure: 'ct' | 'rt' = 'ct';
    let timer = setTimeout(() => sending.destroy(), connectMs);
    const end = (answer: Answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const waitForAnswer = () => {
      failure = 'rt';
      clearTimeout(timer);
      timer = setTimeout(() => sending.destroy(), readMs);
    };
    sending.once('socket', (socket) => {
      if (sending.reusedSocket) waitForAnswer();
      else socket.once(isSecure ? 'secureConnect' : 'connect', waitForAnswer);
    });
    sending.once('response', (response) => {
      response.resume().once('end', () => end(response.statusCode ?? 0));
    });
    sending.on('error', () => end(failure));
    sending.once('close', () => end(failure));
    sending.end(body);
  });
}
