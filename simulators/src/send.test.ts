// Every misbehaviour on the socket, at every bureau, over real HTTP. The bureaus run in this process, so that a test can stop
// their clock.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../tools/testing/eventually.ts';
import { CREDENTIALS } from './credentials.ts';
import { parseOptions } from './options.ts';
import { type RunningBureau, startBureau } from './server.ts';
import { type Addresses, ASK, BUREAUS, enquiriesOf, type Person, person } from './testing.ts';
import { readXml } from './xml.ts';

let sims: Addresses;
let who: Person;
let running: RunningBureau[];

beforeAll(async () => {
  const parsed = parseOptions(['--latency', '0']);
  if (parsed.kind !== 'run') throw new Error('the options are wrong');
  running = await Promise.all(BUREAUS.map((bureau) => startBureau({ ...parsed.options, bureau, port: 0 })));
  const [albion = '', beacon = '', cygnet = ''] = running.map(({ url }) => url);
  sims = { albion, beacon, cygnet, credentials: CREDENTIALS };
  who = await person(sims.albion, 'person-0005');
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await Promise.all(running.map((bureau) => bureau.close()));
});

const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

describe.each(BUREAUS)('%s', (bureau) => {
  const ask = (simulate: string, signal?: AbortSignal) =>
    ASK[bureau](sims, who, { simulate, ...(signal && { signal }) });
  /** Answered at once, and so after everything that was written before it was asked. */
  const counted = (enquiryId: string) => enquiriesOf(sims[bureau], enquiryId);
  const read = (text: string): unknown => (bureau === 'albion' ? readXml(text) : JSON.parse(text));

  test('slow: answers late', async () => {
    stopClock();
    const enquiryId = randomUUID();
    let isAnswered = false;
    const asked = ASK[bureau](sims, who, { enquiryId, simulate: 'slow=250' }).finally(() => {
      isAnswered = true;
    });
    await eventually(async () => expect((await counted(enquiryId)).length).toBe(1));
    vi.advanceTimersByTime(249);
    await counted(enquiryId);
    expect(isAnswered).toBe(false);
    vi.advanceTimersByTime(1);
    expect((await asked).status).toBe(200);
  });

  test('hang: takes the enquiry and never answers', async () => {
    stopClock();
    const enquiryId = randomUUID();
    const leaving = new AbortController();
    const asked = ASK[bureau](sims, who, { enquiryId, simulate: 'hang', signal: leaving.signal });
    const outcome = asked.then(
      ({ status }) => status,
      (error: Error) => error.name,
    );
    const expected = [{ enquiries: 1, person: 'person-0005' }];
    await eventually(async () => expect((await counted(enquiryId)).length).toBe(1));
    vi.advanceTimersByTime(3_600_000);
    expect(await counted(enquiryId)).toMatchObject(expected);
    leaving.abort();
    expect(await outcome).toBe('AbortError');
  });

  test('drip: headers at once, then a byte a second', async () => {
    stopClock();
    const leaving = new AbortController();
    const response = await ask('drip', leaving.signal);
    expect(response.status).toBe(200);
    const sizes: number[] = [];
    const reading = (async () => {
      for await (const chunk of response.body ?? []) sizes.push(chunk.length);
    })();
    const isLeft = expect(reading).rejects.toThrow();
    await eventually(async () => expect((await counted('')) && sizes.length > 0).toBe(true));
    expect(sizes).toEqual([1]);
    vi.advanceTimersByTime(999);
    await counted('');
    expect(sizes).toEqual([1]);
    vi.advanceTimersByTime(1);
    await eventually(async () => expect((await counted('')) && sizes.length > 1).toBe(true));
    expect(sizes).toEqual([1, 1]);
    leaving.abort();
    await isLeft;
  });

  test('reset: the connection breaks before or within the answer', async () => {
    await expect(ask('reset')).rejects.toThrow('fetch failed');
    await expect(ask('reset=body').then((response) => response.text())).rejects.toThrow();
  });

  test('garbage: 200 with something nobody can read', async () => {
    for (const kind of ['garbage', 'garbage=html', 'garbage=binary', 'garbage=empty']) {
      const response = await ask(kind);
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(() => read(text)).toThrow();
    }
  });

  test('half: a body shorter than promised; clean: shorter, and promised so', async () => {
    const whole = await (await ask('slow=1')).text();
    await expect(ask('half').then((response) => response.text())).rejects.toThrow();
    const clean = await (await ask('half=clean')).text();
    expect(clean.length).toBeGreaterThan(100);
    expect(clean.length).toBeLessThan(whole.length);
    expect(() => read(clean)).toThrow();
  });

  test('wrong-type: the right body under the wrong name', async () => {
    const response = await ask('wrong-type');
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(() => read('')).toThrow();
    expect(read(await response.text())).toBeTypeOf('object');
  });

  test('huge: streamed without a length, well-formed when read to the end', async () => {
    const response = await ask('huge=3');
    expect(response.headers.get('content-length')).toBeNull();
    const text = await response.text();
    expect(text.length).toBeGreaterThan(3_000_000);
    expect(read(text)).toBeTypeOf('object');
  });

  test('huge: a reader that leaves early does not hurt the bureau', async () => {
    const leaving = new AbortController();
    const response = await ask('huge', leaving.signal);
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(value?.length).toBeGreaterThan(0);
    leaving.abort();
    expect((await ask('slow=0')).status).toBe(200);
  });

  test('deep: nested a thousand levels', async () => {
    const text = await (await ask('deep=1000')).text();
    expect(text).toContain(bureau === 'albion' ? '<d><d><d>' : '[[[');
    if (bureau !== 'albion') expect(read(text)).toBeTypeOf('object');
  });

  test('400: a behaviour nobody knows', async () => {
    expect((await ask('fly')).status).toBe(400);
  });
});
