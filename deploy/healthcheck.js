// Exit code 0 if the process of this container answers: the API on its own port, the worker on its metrics port. It says
// "alive" and not "ready": a node that only waits for its database must not be restarted for it.
const isWorker = process.argv[2] === 'worker';
const port = isWorker ? (process.env.TREFOIL_METRICS_PORT ?? '9090') : (process.env.TREFOIL_PORT ?? '8080');
const address = `http://127.0.0.1:${port}${isWorker ? '/metrics' : '/livez'}`;
const response = await fetch(address, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
