// Stands between the shop and Trefoil and spoils what passes, as networks do: it holds answers back, loses them, or
// lets nothing through. Everything else passes unchanged.
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `lose`: the service does its work, and the connection breaks before the answer, each time. */
type Weather = 'fair' | 'hold' | 'lose' | 'down';

const isGenerate = ({ method, url }: IncomingMessage) => method === 'POST' && /\/v1\/credit-reports$/.test(url ?? '');

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

export async function startFaultProxy(target: string) {
  const { hostname, port } = new URL(target);
  let weather: Weather = 'fair';
  let held: (() => void)[] = [];

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, headers } = request;
    const onward = openRequest({ hostname, port, method, path, headers }, (answer) => {
      const send = () => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
      if (!isGenerate(request) || weather === 'fair') send();
      else if (weather === 'hold') held.push(send);
      else answer.resume().on('end', () => request.socket.destroy());
    });
    onward.on('error', () => request.socket.destroy());
    request.pipe(onward);
  }

  const server = createServer((request, response) => {
    if (weather === 'down') request.socket.destroy();
    else pass(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    set(next: Weather): void {
      weather = next;
    },
    /** Lets the held answers go. */
    release(): void {
      weather = 'fair';
      for (const send of held) send();
      held = [];
    },
    /** Answers that the service has given and the shop does not have. */
    countHeld: () => held.length,
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
