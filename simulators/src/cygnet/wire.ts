// Cygnet: bearer tokens, nested JSON, problems after RFC 9457, and sometimes a result that must be fetched later.
import { createHash } from 'node:crypto';
import { amountOf, type Behaviours, QUIET } from '../behaviours.ts';
import { londonOffset } from '../dates.ts';
import type { EnquiryHandler } from '../enquiry-handler.ts';
import type { View } from '../people/view.ts';
import type { Answer, HttpCall, Reply, Wire } from '../wire.ts';
import { PROBLEMS, type ProblemName } from './codes.ts';
import { writeFile, writeName } from './file.ts';
import { type CygnetRequest, readRequest } from './request.ts';
import { type CygnetCredentials, Tokens } from './tokens.ts';

const ANSWER_KEPT_MS = 600_000;

type Pending = {
  readonly reference: string;
  readonly person: string | null;
  readonly lastName: string;
  readonly reply: Reply;
  readonly until: number;
  pollsLeft: number;
};

export function createCygnet(credentials: CygnetCredentials): Wire {
  const tokens = new Tokens(credentials);
  const pending = new Map<string, Pending>();

  function answer(call: HttpCall, handler: EnquiryHandler): Answer | undefined {
    const { method, path } = call;
    if (path === '/oauth/token') return method === 'POST' ? answerToken(call, handler) : quiet(notHere(405));
    if (path === '/control/tokens' && method === 'DELETE') {
      tokens.revokeAll();
      return quiet({ status: 204, headers: {}, body: '' });
    }
    const [, id] = /^\/enquiries\/([^/]+)$/.exec(path) ?? [];
    if (path !== '/enquiries' && id === undefined) return undefined;
    if (method !== (id === undefined ? 'POST' : 'GET')) return quiet(notHere(405));
    if (!tokens.accepts(call.headers['authorization'])) return quiet(problem('unauthenticated'));
    return id === undefined ? answerPost(call, handler) : answerPoll(id, call, handler);
  }

  function answerToken(call: HttpCall, handler: EnquiryHandler): Answer {
    const behaviours = handler.follow({ call: 'token' }, call.headers['x-simulate']);
    return { reply: refusalFor(behaviours) ?? tokens.issue(call), behaviours };
  }

  function answerPost(call: HttpCall, handler: EnquiryHandler): Answer {
    if (!/^application\/json\b/i.test(call.headers['content-type'] ?? ''))
      return quiet(problem('unsupported-media-type'));
    const request = readRequest(call.body);
    if (request.kind === 'invalid') return quiet(problem('invalid-request', { errors: request.faults }));
    return answerEnquiry(request, call.headers['x-simulate'], handler);
  }

  function answerEnquiry(
    request: CygnetRequest & { kind: 'enquiry' },
    header: string | undefined,
    handler: EnquiryHandler,
  ): Answer {
    const { reference, subject } = request;
    const { view, behaviours } = handler.enquire(reference, subject, header);
    const refusal = refusalFor(behaviours, reference);
    if (refusal) return { reply: refusal, behaviours };
    const reply = view ? found(reference, view, behaviours, handler) : problem('subject-not-traced', { reference });
    const polls = amountOf(behaviours, 'poll', 1);
    if (polls === undefined) return { reply, behaviours };
    forgetExpired(pending);
    const id = enquiryIdOf(reference);
    const person = view?.identity.id ?? null;
    const until = Date.now() + ANSWER_KEPT_MS;
    pending.set(id, { reference, person, lastName: subject.family, reply, until, pollsLeft: polls });
    return { reply: notYet(id, reference), behaviours };
  }

  function answerPoll(id: string, call: HttpCall, handler: EnquiryHandler): Answer {
    const entry = pending.get(id);
    if (!entry || entry.until < Date.now()) return quiet(problem('enquiry-unknown'));
    const { reference, person, lastName } = entry;
    const behaviours = handler.follow(
      { call: 'poll', enquiryId: reference, person, lastName },
      call.headers['x-simulate'],
    );
    const refusal = refusalFor(behaviours, reference);
    if (refusal) return { reply: refusal, behaviours };
    if (entry.pollsLeft > 0) {
      entry.pollsLeft--;
      return { reply: notYet(id, reference), behaviours };
    }
    return { reply: entry.reply, behaviours };
  }

  return { bureau: 'cygnet', format: 'json', answer, notHere };
}

/** In order of arrival, so the first one that is still valid ends the search. */
function forgetExpired(pending: Map<string, Pending>): void {
  for (const [id, { until }] of pending) {
    if (until >= Date.now()) return;
    pending.delete(id);
  }
}

/** The same reference gives the same id. */
const enquiryIdOf = (reference: string) => `cyg_${createHash('sha256').update(reference).digest('hex').slice(0, 24)}`;

function found(reference: string, view: View, behaviours: Behaviours, handler: EnquiryHandler): Reply {
  const { name, born } = view.identity;
  const utc = handler.timeOf(reference);
  const zone = londonOffset(utc.slice(0, 10));
  const local = new Date(Date.parse(`${utc}Z`) + (zone === '+01:00' ? 3_600_000 : 0)).toISOString().slice(0, 19);
  const enquiry = {
    id: enquiryIdOf(reference),
    reference,
    status: 'complete',
    madeAt: local + zone,
    subject: { name: writeName(name), born },
  };
  return json(200, { enquiry, ...writeFile(view, handler.options, behaviours.get('partial')) });
}

function notYet(id: string, reference: string): Reply {
  const reply = json(202, { enquiry: { id, reference, status: 'pending' } });
  return { ...reply, headers: { ...reply.headers, location: `/enquiries/${id}`, 'retry-after': '1' } };
}

function refusalFor(behaviours: Behaviours, reference?: string): Reply | undefined {
  const about = reference === undefined ? {} : { reference };
  const seconds = amountOf(behaviours, 'throttle', 1);
  if (seconds !== undefined) return withRetryAfter(problem('too-many-requests', about), seconds);
  if (behaviours.has('maintenance')) return withRetryAfter(problem('maintenance', about), 600);
  const wish = behaviours.get('error');
  if (wish === undefined) return undefined;
  if (wish in PROBLEMS) return problem(wish as ProblemName, about);
  const byStatus = Object.entries(PROBLEMS).find(([, [status]]) => String(status) === wish && wish !== '404');
  const base = problem((byStatus?.[0] as ProblemName | undefined) ?? 'unavailable', about);
  if (byStatus || !/^[45]\d\d$/.test(wish)) return base;
  const status = Number(wish);
  const body = { type: 'about:blank', title: `Error ${wish}`, status, ...about };
  return { ...base, status, body: JSON.stringify(body) };
}

const withRetryAfter = (reply: Reply, seconds: number): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'retry-after': String(seconds) },
});

function problem(name: ProblemName, more: object = {}): Reply {
  const [status, title] = PROBLEMS[name];
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="cygnet"' }),
    },
    body: JSON.stringify({
      type: `https://cygnet.example/problems/${name}`,
      title,
      status,
      detail: `${title}.`,
      ...more,
    }),
  };
}

const json = (status: number, value: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

const quiet = (reply: Reply): Answer => ({ reply, behaviours: QUIET });

const notHere = (status: 404 | 405): Reply => problem(status === 404 ? 'not-found' : 'method-not-allowed');
