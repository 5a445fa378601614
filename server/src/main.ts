// The entry: picks the process (`api`, `worker`, `migrate`, or a command of the operator), turns signals into a graceful end and
// outcomes into an exit code.
import { explainError } from './cli/explain-error.ts';
import { runCommand } from './cli/run-command.ts';
import { ConfigError, loadConfig } from './config.ts';
import { describeError } from './lib/log.ts';

async function runApp(start: 'listen' | 'work'): Promise<number> {
  // Loaded only here: a command of the operator needs none of the server and should answer at once.
  const { createApp } = await import('./app.ts');
  const config = loadConfig();
  const app = await createApp(config);
  // A fault nobody caught leaves the process in an unknown state. It is told by kind only: its text may quote values.
  process.once('uncaughtException', (error) => {
    app.log.error('uncaught', describeError(error));
    process.exit(1);
  });
  await app[start]();
  await new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  // Requests that outlive this time are cut: the platform would kill the process soon after anyway.
  setTimeout(() => process.exit(1), config.shutdownMs).unref();
  await app.close();
  return 0;
}

async function runMigrations(): Promise<number> {
  const { migrate } = await import('./lib/migrate.ts');
  const { ownerUrl } = loadConfig().database;
  if (!ownerUrl) throw new ConfigError(['TREFOIL_OWNER_DATABASE_URL is missing: postgres://… as the database owner']);
  const applied = await migrate(ownerUrl);
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to apply: the schema is up to date.');
  return 0;
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
