// The router's own list of routes, for answers where no route matches: preflights, 404 and 405.
import type { FastifyInstance } from 'fastify';
import { pathPattern } from './path-pattern.ts';

export const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

export interface RouteTable {
  /** The methods of the routes at this path; empty where there is no route. */
  methodsAt(path: string): readonly string[];
  /** The same for routes that are operations of the contract. */
  operationMethodsAt(path: string): readonly string[];
}

type Route = { readonly pattern: RegExp; readonly method: string; readonly isOperation: boolean };

/** Records the routes that are registered from now on. */
export function watchRoutes(app: FastifyInstance): RouteTable {
  const routes: Route[] = [];
  app.addHook('onRoute', ({ url, method, config }) => {
    const [pattern, isOperation] = [pathPattern(url), config?.operation !== undefined];
    for (const each of [method].flat()) routes.push({ pattern, method: each, isOperation });
  });
  const methodsWhere = (isMeant: (route: Route) => boolean) => [
    ...new Set(routes.filter(isMeant).map(({ method }) => method)),
  ];
  return {
    methodsAt: (path) => methodsWhere(({ pattern }) => pattern.test(path)),
    operationMethodsAt: (path) => methodsWhere(({ pattern, isOperation }) => isOperation && pattern.test(path)),
  };
}
