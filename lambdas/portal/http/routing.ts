import {
  type PortalFunction,
  type PortalRoute,
  type PortalRouteName,
  portalRoutes,
} from '../catalog/routes.ts';

/** The names of a function's routes. */
export type RoutesOf<Function extends PortalFunction> = {
  [Name in PortalRouteName]: (typeof portalRoutes)[Name]['function'] extends Function ? Name : never;
}[PortalRouteName];

export type RouteMatch =
  | {
      readonly name: PortalRouteName;
      readonly route: PortalRoute;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly problem: 'not_found' }
  | { readonly problem: 'method_not_allowed'; readonly allow: string };

/** Finds a function's route in the table of routes. A fixed segment goes before a `{name}`. */
export function createRouter(name: PortalFunction): (method: string, path: string) => RouteMatch {
  const routes = Object.entries(portalRoutes)
    .filter(([, route]) => route.function === name)
    .map(([routeName, route]) => ({
      name: routeName as PortalRouteName,
      route: route as PortalRoute,
      segments: route.path.split('/'),
    }))
    .sort((one, other) => named(one.segments) - named(other.segments));
  return (method, path) => {
    const segments = path.split('/');
    const atPath = routes.flatMap((each) => {
      const params = matched(each.segments, segments);
      return params === undefined ? [] : [{ name: each.name, route: each.route, params }];
    });
    const found = atPath.find((each) => each.route.method === method);
    if (found !== undefined) return found;
    if (atPath.length === 0) return { problem: 'not_found' };
    return {
      problem: 'method_not_allowed',
      allow: [...new Set(atPath.map(({ route }) => route.method))].join(', '),
    };
  };
}

/** Longer than any id the portal gives: the store has no key of that size, and nothing is found under it. */
const longestValue = 200;

function named(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith('{')).length;
}

function matched(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] ?? '';
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decoded(segment);
    if (value === undefined || value === '' || value.length > longestValue) return undefined;
    params[part.slice(1, -1)] = value;
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
