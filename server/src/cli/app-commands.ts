// Applications that sign people in with the authorization code flow. A secret is in the answer that makes it and nowhere
// else.
import { createOAuthApp, enableApp, isRedirectUri, listApps } from '../identity/provider/change-app.ts';
import type { Database } from '../lib/database.ts';
import { type Answer, defineCommand } from './command.ts';
import { flag, id, required, text, webAddresses } from './options.ts';
import { day, state, table } from './print.ts';
import { missing } from './require-found.ts';

const app = required(id, 'The application, by its client id.');

async function setEnabled(database: Database, appId: string, isEnabled: boolean): Promise<Answer> {
  if (!(await database.asSystem((tx) => enableApp(tx, appId, isEnabled)))) throw missing('app', appId);
  const effect = isEnabled
    ? 'People can sign in with it again; sign-ins that are still within their time work again too.'
    : 'Nobody can sign in with it, and its running tokens stop within seconds.';
  return { text: `Application ${appId} is ${state(isEnabled)}. ${effect}`, data: { clientId: appId, isEnabled } };
}

export const APP_COMMANDS = [
  defineCommand({
    noun: 'app',
    verb: 'create',
    summary: 'Register an application that signs people in.',
    notes:
      'People are asked whether they agree before it gets anything. It must use the authorization code flow with PKCE\n' +
      '(S256), and come back to exactly one of the addresses given here. One that runs in browsers or on telephones\n' +
      'cannot keep a secret: make it --public, and it has none.',
    options: {
      name: required(text, 'What people will read when they are asked.'),
      'redirect-uris': required(webAddresses(isRedirectUri), 'Where people may come back to.'),
      public: flag('It cannot keep a secret, and gets none.'),
    },
    example: "app create --name 'Claims portal' --redirect-uris https://portal.example.com/callback",
    async run(database, { name, 'redirect-uris': redirectUris, public: isPublic }) {
      const { clientId, clientSecret } = await database.asSystem((tx) =>
        createOAuthApp(tx, { name, redirectUris, isPublic }),
      );
      const proof = clientSecret
        ? [`  Client secret   ${clientSecret}`, '', 'The secret is shown this once and kept nowhere: store it now.']
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
    summary: 'Show the applications that sign people in, never a secret.',
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
