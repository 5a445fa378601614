// Sends a body that the service is expected to refuse before it has read all of it. node:http, because fetch gives
// up when the connection closes under an upload, although the answer has already arrived.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Answer, type Api, parseJson, sendPatiently } from './session.ts';

export type LargeReply = Answer & { readonly requestId: string | undefined };

const TRIES_MAX = 3;

export async function sendLargeBody(api: Api, path: string, content: string, chunked: boolean): Promise<LargeReply> {
  const token = await api.session.token();
  async function send(): Promise<LargeReply> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await sendOnce(new URL(api.session.baseUrl + path), token, content, chunked);
      } catch (error) {
        // A reset can overtake the answer on the way; a second try tells a race from a service that never answers.
        if (tries === TRIES_MAX) throw error;
      }
    }
  }
  return (await sendPatiently(api.session, undefined, send)).reply;
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
          retryAfter: response.headers['retry-after'] ?? null,
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
