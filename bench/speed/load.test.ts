// The load generator against small servers: what counts as refused, when a request's time starts, and that it never hangs.
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { dueTimesMs, requestBytes, runLoad } from './load.ts';

const requests = [requestBytes({ tenantId: 'tenant', token: 'token' }, { a: 1 })];

async function serve(answer: RequestListener): Promise<readonly number[]> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return [(server.address() as AddressInfo).port];
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
}

test('complete reports are answered; any other answer is refused and counted by its status line', async () => {
  let number = 0;
  const ports = await serve((_, response) => {
    number += 1;
    if (number % 3 === 0) reply(response, 503, '{"error":"service-unavailable"}');
    else reply(response, 200, number % 3 === 1 ? '{"status":"complete"}' : '{"status":"failed"}');
  });
  const result = await runLoad({ ports, requests, connections: 4, seconds: 0.1 });
  const { answered, refused, refusals, latenciesMs } = result;
  expect(answered).toBe(Math.ceil(number / 3));
  expect(refused).toBe(number - answered);
  expect(latenciesMs).toHaveLength(number);
  expect(Object.fromEntries(refusals)).toEqual({
    'HTTP/1.1 503 Service Unavailable': Math.floor(number / 3),
    'HTTP/1.1 200 OK without "status":"complete"': refused - Math.floor(number / 3),
  });
});

test('a connection closed instead of an answer ends the load, and the error names the refusals before it', async () => {
  let number = 0;
  const ports = await serve((request, response) => {
    number += 1;
    if (number === 1) reply(response, 503, '{}');
    else request.socket.destroy();
  });
  const load = runLoad({ ports, requests, connections: 1, seconds: 60 });
  await expect(load).rejects.toThrow('refusals until then: 1 × HTTP/1.1 503 Service Unavailable');
});

test('an answer without a length ends the load', async () => {
  const ports = await serve((_, response) => response.writeHead(200).end('{"status":"complete"}'));
  await expect(runLoad({ ports, requests, connections: 1, seconds: 60 })).rejects.toThrow('without a length');
});

test('by the clock, a request counts from when it was due, and those that wait at the end are still sent', async () => {
  const answerMs = 20;
  // One connection handles fifty a second and is offered two hundred: the queue grows until the end.
  const ports = await serve((_, response) => {
    setTimeout(reply, answerMs, response, 200, '{"status":"complete"}');
  });
  const result = await runLoad({ ports, requests, connections: 1, seconds: 0.4, rate: 200 });
  // Twenty fit into the time; about eighty were due.
  expect(result.answered).toBeGreaterThan(30);
  // The last request was due before the end, so it waited at least for the responses that came after the end.
  const afterEndMs = (result.seconds - 0.4) * 1_000;
  expect(afterEndMs).toBeGreaterThan(100);
  expect(result.latenciesMs.at(-1)).toBeGreaterThan(afterEndMs * 0.9);
});

test('due times: the mean gap is that of the rate, and gaps differ as those of independent clients do', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const gapsMs: number[] = [];
  let beforeMs = 0;
  for (const dueMs of dueTimesMs(500, random)) {
    gapsMs.push(dueMs - beforeMs);
    beforeMs = dueMs;
    if (gapsMs.length === 20_000) break;
  }
  expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(0);
  expect(beforeMs / gapsMs.length).toBeCloseTo(2, 1);
  // Of exponential gaps, e⁻¹ are longer than the mean.
  expect(gapsMs.filter((gapMs) => gapMs > 2).length / gapsMs.length).toBeCloseTo(Math.exp(-1), 1);
});
