// Albion: a SOAP-like service with a username token, faults in HTTP 500 and, sometimes, a pick list before the file.
import { type Behaviours, QUIET } from '../behaviours.ts';
import type { EnquiryHandler, Finding } from '../enquiry-handler.ts';
import { neighboursOf } from '../people/residences.ts';
import type { View } from '../people/view.ts';
import { hash32 } from '../random.ts';
import { type Answer, type HttpCall, plain, type Reply, type Wire } from '../wire.ts';
import { element, escapeXml } from '../xml.ts';
import { FAULTS, type FaultCode } from './codes.ts';
import { premisesLine, premKey, writeFile } from './file.ts';
import { type AlbionCredentials, type AlbionRequest, Nonces, readRequest } from './request.ts';

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
const PICK_LIST_MS = 120_000;

type OpenPick = {
  readonly view: View;
  readonly rightKey: string;
  readonly offered: readonly string[];
  readonly person: string;
  readonly lastName: string;
  readonly until: number;
};

export function createAlbion(credentials: AlbionCredentials): Wire {
  const nonces = new Nonces();
  const picks = new Map<string, OpenPick>();

  function answer(call: HttpCall, handler: EnquiryHandler): Answer | undefined {
    if (call.path !== '/enquiry') return undefined;
    if (call.method !== 'POST') return quiet(notHere(405));
    const request = readRequest(call.body, credentials, nonces);
    const header = call.headers['x-simulate'];
    switch (request.kind) {
      case 'fault':
        return quiet(fault(request.code, request.detail));
      case 'pick':
        return answerPick(request, handler, header);
      case 'enquiry':
        return answerEnquiry(request, handler, header);
    }
  }

  function answerEnquiry(
    request: AlbionRequest & { kind: 'enquiry' },
    handler: EnquiryHandler,
    header: string | undefined,
  ): Answer {
    const { enquiryId, subject, namesPremises } = request;
    const finding = handler.enquire(enquiryId, subject, header);
    const { view, behaviours } = finding;
    const refusal = refusalFor(behaviours);
    if (refusal) return { reply: refusal, behaviours };
    if (view && (behaviours.has('pick-list') || !namesPremises)) return offer(enquiryId, { view, behaviours }, handler);
    return { reply: view ? found(enquiryId, view, handler) : noTrace(enquiryId, handler), behaviours };
  }

  function offer(enquiryId: string, { view, behaviours }: Finding & { view: View }, handler: EnquiryHandler): Answer {
    const [home] = view.residences;
    if (!home) throw new RangeError('a person without a residence');
    const number = hash32(enquiryId);
    const candidates = [...neighboursOf(home, 1 + (number % 4))];
    candidates.splice(number % (candidates.length + 1), 0, home);
    forgetExpired(picks);
    const offered = candidates.map((premises) => ({ premKey: premKey(premises), line: premisesLine(premises) }));
    picks.set(enquiryId, {
      view,
      rightKey: premKey(home),
      offered: offered.map((pick) => pick.premKey),
      person: view.identity.id,
      lastName: view.identity.name.family,
      until: Date.now() + PICK_LIST_MS,
    });
    const list = element('picks', {}, offered.map((pick) => element('pick', pick)).join(''));
    return { reply: enquiryReply(enquiryId, 'PL', list, handler), behaviours };
  }

  function answerPick(
    request: AlbionRequest & { kind: 'pick' },
    handler: EnquiryHandler,
    header: string | undefined,
  ): Answer {
    const { enquiryId, premisesKey } = request;
    const open = picks.get(enquiryId);
    if (!open || open.until < Date.now()) return quiet(fault('3021'));
    if (!open.offered.includes(premisesKey)) return quiet(fault('3022'));
    const { person, lastName, view, rightKey } = open;
    const behaviours = handler.follow({ call: 'pick', enquiryId, person, lastName }, header);
    const refusal = refusalFor(behaviours);
    if (refusal) return { reply: refusal, behaviours };
    picks.delete(enquiryId);
    const isRight = premisesKey === rightKey && !behaviours.has('no-trace');
    return { reply: isRight ? found(enquiryId, view, handler) : noTrace(enquiryId, handler), behaviours };
  }

  return { bureau: 'albion', format: 'xml', answer, notHere };
}

/** In order of opening, so the first open one ends the search. */
function forgetExpired(picks: Map<string, OpenPick>): void {
  for (const [enquiryId, { until }] of picks) {
    if (until >= Date.now()) return;
    picks.delete(enquiryId);
  }
}

function refusalFor(behaviours: Behaviours): Reply | undefined {
  if (behaviours.has('throttle')) return fault('3012');
  if (behaviours.has('maintenance')) return fault('3030');
  const wish = behaviours.get('error');
  if (wish === undefined) return undefined;
  if (/^[45]\d\d$/.test(wish)) return plain(Number(wish), `error ${wish}`);
  return fault(wish in FAULTS ? (wish as FaultCode) : '3017');
}

const found = (enquiryId: string, view: View, handler: EnquiryHandler) =>
  enquiryReply(enquiryId, 'OK', writeFile(view, handler.options), handler);

const noTrace = (enquiryId: string, handler: EnquiryHandler) => enquiryReply(enquiryId, 'NT', '', handler);

function enquiryReply(enquiryId: string, outcome: 'OK' | 'NT' | 'PL', content: string, handler: EnquiryHandler): Reply {
  const attributes = { ver: 3, enqId: enquiryId, at: `${handler.timeOf(enquiryId)}Z` };
  return xml(200, element('rpt:Enquiry', attributes, `\n${element('outcome', { code: outcome })}\n${content}\n`));
}

function fault(code: FaultCode, detail?: string): Reply {
  const { retry, text } = FAULTS[code];
  const sentence = detail ? `${text}: ${detail}` : text;
  return xml(500, element('env:Fault', {}, element('flt', { code, retry }, escapeXml(sentence))));
}

function xml(status: number, content: string): Reply {
  const names = { 'xmlns:env': SOAP, 'xmlns:rpt': 'urn:albion:report:3' };
  const envelope = element('env:Envelope', names, element('env:Body', {}, content));
  return {
    status,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${envelope}`,
  };
}

const quiet = (reply: Reply): Answer => ({ reply, behaviours: QUIET });

const notHere = (status: 404 | 405): Reply => plain(status, status === 404 ? 'NOT FOUND' : 'METHOD NOT ALLOWED');
