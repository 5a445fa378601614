// Every misbehaviour on the socket, at every bureau, over real HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASK, BUREAUS, enquiriesOf, type Person, person, type Simulators, startSimulators } from './testing.ts';
import { readXml } from './xml.ts';

let sims: Simulators;
let who: Person;

beforeAll(async () => {
  sims = await startSimulators();
  who = await person(sims.albion, 'person-0005');
});
afterAll(() => sims.stop());

describe.each(BUREAUS)('%s', (bureau) => {
  const ask = (simulate: string, signal?: AbortSignal) =>
    ASK[bureau](sims, who, { simulate, ...(signal && { signal }) });
  const read = (text: string): unknown => (bureau === 'albion' ? readXml(text) : JSON.parse(text));

  test('slow: answers late', async () => {
    const start = performance.now();
    expect((await ask('slow=250')).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(240);
  });

  test('hang: takes the enquiry and never answers', async () => {
    const enquiryId = randomUUID();
    const signal = AbortSignal.timeout(250);
    await expect(ASK[bureau](sims, who, { enquiryId, simulate: 'hang', signal })).rejects.toThrow();
    expect(await enquiriesOf(sims[bureau], enquiryId)).toMatchObject([{ enquiries: 1, person: 'person-0005' }]);
  });

  test('drip: headers at once, then a byte a second', async () => {
    const response = await ask('drip', AbortSignal.timeout(1300));
    expect(response.status).toBe(200);
    let received = 0;
    const reading = async () => {
      for await (const chunk of response.body ?? []) received += chunk.length;
    };
    await expect(reading()).rejects.toThrow();
    expect(received).toBeLessThanOrEqual(2);
    expect(received).toBeGreaterThan(0);
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
