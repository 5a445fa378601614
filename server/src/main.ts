// The entry: picks the process (`api`, `migrate`, or a command of the operator), turns signals into a graceful end and
// outcomes into an exit code.
import { createApp } from './app.ts';
import { runCommand } from './cli/run-command.ts';
import { ConfigError, loadConfig } from './config.ts';
import { migrate } from './lib/migrate.ts';

async function runApi(): Promise<void> {
  const config = loadConfig();
  const app = await createApp(config);
  await app.listen();
  await new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  // Requests that outlive this time are cut: the platform would kill the process soon after anyway.
  setTimeout(() => process.exit(1), config.shutdownMs).unref();
  await app.close();
}

async function runMigrations(): Promise<void> {
  const { ownerUrl } = loadConfig().database;
  if (!ownerUrl) throw new ConfigError(['TREFOIL_OWNER_DATABASE_URL is missing: postgres://… as the database owner']);
  const applied = await migrate(ownerUrl);
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to apply: the schema is up to date.');
}

const [process_, ...args] = process.argv.slice(2);
try {
  if (process_ === 'api') await runApi();
  else if (process_ === 'migrate') await runMigrations();
  else process.exitCode = await runCommand([process_ ?? 'help', ...args], loadConfig);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
