// Expectations about HTTP answers: an outcome in the envelope, or a refusal in the bare error body.
import { equal, fits, holds, Mismatch } from './expect.ts';
import type { Reply } from './session.ts';
import { absent, exactly, filledText, isObject, list, object, pattern, show, text } from './shape.ts';

/** The `data` of a 200 answer; with `status`, the outcome it must state. */
export function dataOf(reply: Reply, status?: string): Record<string, unknown> {
  if (reply.status !== 200) throw new Mismatch(`HTTP 200${status ? ` with status ${status}` : ''}`, summary(reply));
  const data = isObject(reply.body) ? reply.body['data'] : undefined;
  holds(isObject(data), 'an envelope with an object in data', summary(reply));
  if (status !== undefined) equal('data.status', data['status'], status);
  return data;
}

/** A bare 200 body: the account resources are not enveloped. */
export function bareBody(reply: Reply): Record<string, unknown> {
  holds(reply.status === 200 && isObject(reply.body), 'HTTP 200 with an object', summary(reply));
  fits('body', reply.body, object({ data: absent, meta: absent }));
  return reply.body;
}

export function metaOf(reply: Reply): Record<string, unknown> {
  dataOf(reply);
  const meta = isObject(reply.body) ? reply.body['meta'] : undefined;
  holds(isObject(meta), 'an envelope with an object in meta', summary(reply));
  return meta;
}

/** Status, code and the whole documented error body. Returns it for further checks. */
export function refused(reply: Reply, status: number, code: string): Record<string, unknown> {
  const seenCode = isObject(reply.body) ? reply.body['code'] : undefined;
  holds(reply.status === status && seenCode === code, `HTTP ${status} ${code}`, summary(reply));
  fits('error body', reply.body, errorShape(reply, code));
  holds(isJson(reply), 'content type application/json', reply.headers.get('content-type') ?? 'none');
  return reply.body as Record<string, unknown>;
}

function errorShape(reply: Reply, code: string) {
  const requestId = reply.headers.get('x-request-id');
  return object({
    code: filledText,
    message: filledText,
    requestId: requestId ? exactly(requestId) : pattern('the value of an X-Request-Id header', /^(?!)/),
    docs: pattern('the address of the page about the code', new RegExp(`^https?://.+/docs/errors/${code}$`)),
    data: absent,
    meta: absent,
  });
}

/** Whether the token has the scope that this operation needs; a 403 must name it. */
export function hasScope(reply: Reply, scope: string): boolean {
  if (reply.status !== 403) return true;
  const { message } = refused(reply, 403, 'forbidden');
  holds(String(message).includes(scope), `a message with ${scope}`, message);
  return false;
}

/** A validation error in which every given pointer, or something below it, is named. */
export function invalid(reply: Reply, ...pointers: string[]): void {
  const body = refused(reply, 400, 'validation-error');
  if (pointers.length === 0) return;
  fits('details', body['details'], list(object({ path: text, message: filledText })));
  const paths = (body['details'] as { path: string }[]).map(({ path }) => path);
  for (const pointer of pointers) {
    const named = paths.some((path) => path === pointer || path.startsWith(`${pointer}/`));
    holds(named, `details to name ${pointer}`, paths);
  }
}

export function isJson(reply: Reply): boolean {
  return /^application\/json\b/i.test(reply.headers.get('content-type') ?? '');
}

/** Status, and code or outcome: enough to recognise an answer in a message. */
export function summary(reply: Reply): string {
  const body = reply.body;
  if (!isObject(body)) return `HTTP ${reply.status} ${show(reply.text, 120)}`;
  const data = isObject(body['data']) ? body['data'] : {};
  const word = body['code'] ?? data['status'];
  const details = body['details'] === undefined ? '' : ` details ${show(body['details'], 200)}`;
  return `HTTP ${reply.status} ${word === undefined ? show(body, 160) : String(word)}${details}`;
}
