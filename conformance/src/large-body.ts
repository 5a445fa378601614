// Sends a body that the service is expected to refuse before it has read all of it. node:http, because fetch gives
// up when the connection closes under an upload, although the answer has already arrived.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Api, parseJson } from './session.ts';

export type LargeReply = {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly body: unknown;
};

/** How often a refusal that says when to come back is waited for. */
const WAITS_MAX = 20;
const RESETS_MAX = 2;

export async function sendLargeBody(api: Api, path: string, content: string, chunked: boolean): Promise<LargeReply> {
  const token = await api.session.token();
  let [resets, waits] = [0, 0];
  for (;;) {
    try {
      const reply = await sendOnce(new URL(api.session.baseUrl + path), token, content, chunked);
      const { status, retryAfterSeconds } = reply;
      const isLater = (status === 429 || status === 503) && retryAfterSeconds !== undefined;
      if (!isLater || waits === WAITS_MAX) return reply;
      waits += 1;
      await api.session.wait(retryAfterSeconds * 1_000);
    } catch (error) {
      // A reset can overtake the answer on the way; a second try tells a race from a service that never answers.
      if (resets === RESETS_MAX) throw error;
      resets += 1;
    }
  }
}

function sendOnce(url: URL, token: string, content: string, chunked: boolean): Promise<LargeReply> {
  const bytes = Buffer.from(content);
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request: ClientRequest = send(url, {
      method: 'POST',
      agent: false,
      timeout: 30_000,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(!chunked && { 'content-length': String(bytes.length) }),
      },
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error('no answer within 30 seconds')));
    request.on('response', (response: IncomingMessage) => {
      const parts: Buffer[] = [];
      const finish = () => {
        request.destroy();
        resolve({
          status: response.statusCode ?? 0,
          requestId: response.headers['x-request-id']?.toString(),
          retryAfterSeconds: readSeconds(response.headers['retry-after']),
          body: parseJson(Buffer.concat(parts).toString()),
        });
      };
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', finish);
      response.on('error', finish);
    });
    request.end(bytes);
  });
}

const readSeconds = (text: string | undefined) => (text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined);
