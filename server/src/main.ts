// The entry point: picks the process (`api`, `worker`, `migrate`, or an operator's command), turns signals into a
// graceful shutdown and outcomes into an exit code. start.js loads it, which needs no new Node.
import { explainError, explainMigrationError } from './cli/explain-error.ts';
import { runCommand } from './cli/run-command.ts';
import { ConfigError } from './config/read-settings.ts';
import { describeUnknown } from './config/settings.ts';
import { firstEndSignal } from './lib/end-signal.ts';

// Loaded only by what needs them: the version, the help and many commands should answer at once.
const loadConfig = async () => (await import('./config.ts')).loadConfig();

async function runApp(start: 'listen' | 'work'): Promise<number> {
  const [{ createApp }, { describeError }] = await Promise.all([import('./app.ts'), import('./lib/log.ts')]);
  const config = await loadConfig();
  const app = await createApp(config);
  // An uncaught error leaves the process in an unknown state. Only its kind is logged: its text may quote values.
  process.once('uncaughtException', (error) => {
    app.log.error('uncaught', describeError(error));
    process.exit(1);
  });
  app.followLoop();
  try {
    await app[start]();
    // Beside the first requests: a node must not answer later for it.
    if (start === 'listen') {
      app.warmUp().catch((error: unknown) => app.log.warn('documents not warmed up', describeError(error)));
    }
  } catch (error) {
    // Open connections would keep alive a process that does not serve.
    await app.close();
    throw error;
  }
  await firstEndSignal((sentence) => app.log.warn(sentence));
  // Requests that outlive this time are cut off: the platform would kill the process soon after anyway.
  setTimeout(() => process.exit(1), config.shutdownMs).unref();
  await app.close();
  return 0;
}

async function runMigrations(): Promise<number> {
  const [{ migrate }, { loadMigration }] = await Promise.all([
    import('./lib/postgres/migrate.ts'),
    import('./config.ts'),
  ]);
  const { ownerUrl, unknownSettings } = loadMigration();
  for (const unknown of unknownSettings) console.error(describeUnknown(unknown));
  try {
    const applied = await migrate(ownerUrl);
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to apply: the schema is up to date.');
    return 0;
  } catch (error) {
    const sentence = explainMigrationError(error);
    if (sentence === undefined) throw error;
    console.error(sentence);
    return 1;
  }
}

function run([name = 'help', ...rest]: readonly string[]): Promise<number> {
  if (name === 'api' && rest.length === 0) return runApp('listen');
  if (name === 'worker' && rest.length === 0) return runApp('work');
  if (name === 'migrate' && rest.length === 0) return runMigrations();
  const isProcess = name === 'api' || name === 'worker' || name === 'migrate';
  return runCommand(isProcess ? ['help', name] : [name, ...rest], loadConfig);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : (explainError(error) ?? error));
  process.exitCode = 1;
}
