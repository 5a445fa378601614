// Profile, tenant list and tenant select with an API credential. Interface, "Profile resource"; decisions 24 to 26.
import { randomUUID } from 'node:crypto';
import { dig, digList, equal, fits, holds } from '../expect.ts';
import { generate } from '../journey.ts';
import { bareBody, dataOf, invalid, refused } from '../replies.ts';
import type { Row } from '../row.ts';
import type { Api, Reply } from '../session.ts';
import { count, exactly, flag, instant, list, object, oneOf, pattern, text, uuid } from '../shape.ts';

const profile = object({
  id: uuid,
  firstName: text,
  lastName: text,
  email: pattern('an e-mail address', /^[^@\s]+@[^@\s]+$/),
  totpEnabled: flag,
  createdAt: instant,
});

const tenant = object({
  id: uuid,
  name: text,
  role: oneOf('owner', 'admin', 'finance', 'developer', 'analyst', 'caseworker'),
  isEnabled: flag,
  isSelected: flag,
  createdAt: instant,
});

const select = (api: Api, body: unknown): Promise<Reply> =>
  api.send({ method: 'POST', path: '/v1/my/tenants/select', body });

export const accountRows: readonly Row[] = [
  {
    id: 'account/profile',
    title: 'the profile is bare and has its six fields',
    pins: 'Interface, "Profile resource"; decision 26',
    run: async ({ api }) => fits('profile', bareBody(await api.send({ path: '/v1/my/profile' })), profile),
  },
  {
    id: 'account/tenants',
    title: 'the tenant list is bare: items with their six fields, and the total',
    pins: 'Decision 24',
    run: async ({ api }) => {
      const body = bareBody(await api.send({ path: '/v1/my/tenants' }));
      fits('tenants', body, object({ items: list(tenant), total: count }));
    },
  },
  {
    id: 'account/tenants-own',
    title: "the list holds the credential's one tenant, and it is enabled",
    pins: 'Decision 26',
    run: async ({ api }) => {
      const body = bareBody(await api.send({ path: '/v1/my/tenants' }));
      const items = digList(body, 'items');
      equal(
        'tenant ids',
        items.map((item) => dig(item, 'id')),
        [api.tenantId],
      );
      equal('total', body['total'], 1);
      equal('isEnabled', dig(items, '0.isEnabled'), true);
    },
  },
  {
    id: 'account/select',
    title: 'selecting the own tenant answers its id and name, as listed',
    pins: 'Decision 25',
    run: async ({ api }) => {
      const body = bareBody(await select(api, { tenantId: api.tenantId }));
      fits('selected', body, object({ id: exactly(api.tenantId), name: text }));
      const listed = digList(bareBody(await api.send({ path: '/v1/my/tenants' })), 'items');
      holds(
        listed.some((item) => dig(item, 'id') === body['id'] && dig(item, 'name') === body['name']),
        'the name of the list',
        body,
      );
    },
  },
  {
    id: 'account/select-stores-nothing',
    title: 'with a credential, selecting stores nothing: the list is the same afterwards',
    pins: 'Decision 26',
    run: async ({ api }) => {
      const before = bareBody(await api.send({ path: '/v1/my/tenants' }));
      bareBody(await select(api, { tenantId: api.tenantId }));
      equal('the tenant list', bareBody(await api.send({ path: '/v1/my/tenants' })), before);
    },
  },
  ...[
    ['unknown', randomUUID],
    ['not-a-uuid', () => 'acme'],
  ].map(
    ([name, makeId]): Row => ({
      id: `account/select-${String(name)}`,
      title: `selecting a tenant that is ${String(name).replaceAll('-', ' ')}: 403 forbidden`,
      pins: 'Decision 25',
      run: async ({ api }) => {
        refused(await select(api, { tenantId: (makeId as () => string)() }), 403, 'forbidden');
      },
    }),
  ),
  {
    id: 'account/select-foreign',
    title: "selecting someone else's tenant: 403 forbidden, and its paths stay closed",
    pins: 'Decision 25',
    run: async ({ api, other }) => {
      refused(await select(api, { tenantId: other().tenantId }), 403, 'forbidden');
      dataOf(await generate(api), 'complete');
    },
  },
  ...([undefined, 7, ''] as const).map(
    (tenantId): Row => ({
      id: `account/select-${tenantId === undefined ? 'missing' : tenantId === '' ? 'empty' : 'number'}`,
      title: `selecting with tenantId ${JSON.stringify(tenantId) ?? 'missing'}: 400 that names it`,
      pins: 'Interface, "Endpoints"',
      run: async ({ api }) => invalid(await select(api, { tenantId }), '/tenantId'),
    }),
  ),
];
