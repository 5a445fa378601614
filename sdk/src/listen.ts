// Forwards the events of test mode to a program on this machine, signed as the service signs them. For development: an
// event whose delivery fails is shown, and sent again when the developer asks for it.
import type { Event, Trefoil } from './index.ts';
import { TrefoilError, TrefoilNoAnswerError, webhooks } from './index.ts';
import { pause } from './send.ts';

export type ListenOptions = {
  readonly forwardTo: string;
  readonly secret: string;
  /** Only these types: with commas, or a part before the dot. */
  readonly types?: string | undefined;
  /** What the developer enters: an event's id, or nothing for the last event, to send it again. */
  readonly entered?: AsyncIterable<string>;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
};

const WAIT_SECONDS = 20;
/** Longer than the service waits, so that an answer without events is not taken for a lost one. */
const POLL_TIMEOUT_MS = 30_000;
const DELIVERY_TIMEOUT_MS = 10_000;
const PAUSE_AFTER_LOSS_MS = 2_000;
/** So many can be sent again. */
const KEPT_MAX = 1_000;
/** However long the service, or what stands before it, asks to wait: a developer looks at the screen. */
const LONGEST_PAUSE_MS = 60_000;
/** The service is busy or restarts: it will answer again. */
const PASSING = [429, 502, 503, 504];

export async function listen(trefoil: Pick<Trefoil, 'listEvents'>, options: ListenOptions): Promise<void> {
  const { print, signal, types, entered } = options;
  const filter = { test: true, ...(types !== undefined && { type: types }) };
  const sent = new Map<string, Event>();
  // Where the events of the past end: only what happens from now on is forwarded.
  let cursor = (await trefoil.listEvents({ ...filter, limit: 1, cursor: 'end' }, { signal })).data.nextCursor;
  print(`Ready. Events of test mode go to ${options.forwardTo}. End with Ctrl+C.`);
  print('Press Enter to send the last one again, or type the id of another and press Enter.');
  if (entered) void sendAgain(entered, sent, options);
  while (!signal.aborted) {
    try {
      const query = { ...filter, wait: WAIT_SECONDS, cursor };
      const { data } = await trefoil.listEvents(query, { signal, timeoutMs: POLL_TIMEOUT_MS });
      for (const event of data.items) {
        print(await forward(event, options));
        keep(sent, event);
      }
      cursor = data.nextCursor;
    } catch (error) {
      if (signal.aborted) return;
      const waitMs = pauseAfter(error);
      // A refusal is the caller's to see.
      if (waitMs === undefined) throw error;
      // The cursor stays, so nothing is missed.
      print(`${(error as Error).message} Trying again.`);
      await pause(waitMs, signal).catch(() => undefined);
    }
  }
}

function keep(sent: Map<string, Event>, event: Event): void {
  sent.set(event.id, event);
  const [oldest] = sent.keys();
  if (sent.size > KEPT_MAX && oldest !== undefined) sent.delete(oldest);
}

/** Ends with its input. */
async function sendAgain(entered: AsyncIterable<string>, sent: ReadonlyMap<string, Event>, options: ListenOptions) {
  for await (const line of entered) {
    const id = line.trim();
    const event = id === '' ? [...sent.values()].at(-1) : sent.get(id);
    options.print(event ? await forward(event, options) : `No event${id && ` ${id}`} was forwarded in this run.`);
  }
}

/** Undefined for an error that lasts. */
function pauseAfter(error: unknown): number | undefined {
  if (error instanceof TrefoilNoAnswerError) return PAUSE_AFTER_LOSS_MS;
  if (!(error instanceof TrefoilError && PASSING.includes(error.status))) return undefined;
  return Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_AFTER_LOSS_MS, (error.retryAfterSeconds ?? 0) * 1_000));
}

/** As the service posts it: the feed alone has `externalReference`, for readers with `reports:read`. */
function toMessage(event: Event): string {
  const { externalReference: _, ...data } = event.data;
  return JSON.stringify({ ...event, data });
}

/** Delivers the event and describes in one line what became of it. */
async function forward(event: Event, { forwardTo, secret, signal }: ListenOptions): Promise<string> {
  const body = toMessage(event);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'trefoil-sdk listen',
    ...(await webhooks.sign(body, { id: event.id, secret })),
  };
  const startedAtMs = performance.now();
  const result = await deliver(forwardTo, headers, body, signal);
  const time = new Date().toTimeString().slice(0, 8);
  return `${time}  ${event.type}  ${event.id}  ${result}  ${Math.round(performance.now() - startedAtMs)} ms`;
}

async function deliver(
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(DELIVERY_TIMEOUT_MS);
  try {
    const init = {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    } as const;
    const response = await fetch(url, init);
    const text = (await response.text()).trim().split('\n')[0]?.slice(0, 200);
    return response.ok || !text ? String(response.status) : `${response.status} ${text}`;
  } catch (error) {
    if (timeout.aborted) return `no answer within ${DELIVERY_TIMEOUT_MS / 1_000} s`;
    const code = (error as { cause?: { code?: string } }).cause?.code;
    return code === 'ECONNREFUSED'
      ? 'nothing listens there: start your program'
      : `no answer${code ? ` (${code})` : ''}`;
  }
}
