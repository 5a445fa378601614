// Applications that sign people in with the authorization code flow. Only the output of the command that makes a secret
// contains it.
import { createOAuthApp, enableApp, isRedirectUri, listApps } from '../identity/apps/change-app.ts';
import type { Database } from '../lib/postgres/database.ts';
import { type Answer, defineCommand } from './command.ts';
import { flag, id, required, text, webAddresses } from './options.ts';
import { day, state, table } from './print.ts';
import { missing } from './require-found.ts';

const app = required(id, 'The application, by its client id.');

async function setEnabled(database: Database, appId: string, isEnabled: boolean): Promise<Answer> {
  if (!(await database.asSystem((tx) => enableApp(tx, appId, isEnabled)))) throw missing('app', appId);
  const effect = isEnabled
    ? 'People can sign in with it again; sign-ins that have not expired work again too.'
    : 'People can no longer sign in with it, and its running tokens stop within seconds.';
  return { text: `Application ${appId} is ${state(isEnabled)}. ${effect}`, data: { clientId: appId, isEnabled } };
}

export const APP_COMMANDS = [
  defineCommand({
    noun: 'app',
    verb: 'create',
    summary: 'Register an application that signs people in.',
    notes:
      'People are asked whether they agree before it gets anything. It must use the authorization code flow with PKCE\n' +
      '(S256), and redirect to exactly one of the addresses given here. An application that runs in browsers or on\n' +
      'phones cannot keep a secret: register it with --public, and it gets none.',
    options: {
      name: required(text, 'The name that people see when they are asked.'),
      'redirect-uris': required(webAddresses(isRedirectUri), 'The addresses to which it may redirect people.'),
      public: flag('The application cannot keep a secret and gets none.'),
    },
    example: "app create --name 'Claims portal' --redirect-uris https://portal.example.com/callback",
    async run(database, { name, 'redirect-uris': redirectUris, public: isPublic }) {
      const { clientId, clientSecret } = await database.asSystem((tx) =>
        createOAuthApp(tx, { name, redirectUris, isPublic }),
      );
      const proof = clientSecret
        ? [`  Client secret   ${clientSecret}`, '', 'The secret is shown only once: store it now.']
        : ['', 'It has no secret: PKCE is its proof.'];
      return {
        text: ['Registered an application.', '', `  Client id       ${clientId}`, ...proof].join('\n'),
        data: { clientId, ...(clientSecret && { clientSecret }), name, redirectUris, isPublic },
      };
    },
  }),
  defineCommand({
    noun: 'app',
    verb: 'list',
    summary: 'Show the applications that sign people in, without their secrets.',
    options: {},
    example: 'app list',
    async run(database) {
      const apps = (await database.asSystem(listApps)).map(({ secretHash, id: clientId, ...rest }) => ({
        clientId,
        ...rest,
        isPublic: secretHash === null,
      }));
      const lines = apps.map((each) => [
        each.clientId,
        each.name,
        each.isPublic ? 'public' : 'secret',
        state(each.isEnabled),
        each.redirectUris.join(' '),
        day(each.createdAt),
      ]);
      const headings = ['APPLICATION', 'NAME', 'KIND', 'STATE', 'REDIRECT URIS', 'CREATED'];
      const none = "There are no applications yet; 'app create' registers one.";
      return { text: apps.length === 0 ? none : table(headings, lines), data: apps };
    },
  }),
  defineCommand({
    noun: 'app',
    verb: 'disable',
    summary: 'Stop an application, with all sign-ins made through it.',
    options: { app },
    example: 'app disable --app 01997c31-77aa-7c04-b6f2-90d1c5e3a842',
    run: (database, { app: appId }) => setEnabled(database, appId, false),
  }),
  defineCommand({
    noun: 'app',
    verb: 'enable',
    summary: 'Let a disabled application work again.',
    options: { app },
    example: 'app enable --app 01997c31-77aa-7c04-b6f2-90d1c5e3a842',
    run: (database, { app: appId }) => setEnabled(database, appId, true),
  }),
];
