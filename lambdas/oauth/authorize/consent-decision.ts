import { type DataGroup, dataGroups } from '../../catalog/data-groups.ts';
import type { Interface } from '../../catalog/interfaces.ts';
import { formatDataScope, parseDataScope, resourceTypes } from '../../catalog/scopes.ts';

/**
 * The data groups a scope asks for, in the catalog's order. Whoever asks for `*` asks for all that the products serve
 * today: what is served later was not on the page.
 */
export function requestedGroups(
  scope: string,
  products: readonly Interface[],
  groups: readonly DataGroup[] = dataGroups,
): readonly DataGroup[] {
  const types = new Set(scope.split(' ').flatMap((token) => typesOf(token, resourceTypes(products))));
  return groups.filter((group) => group.resourceTypes.some((type) => types.has(type)));
}

/** Whether there is anything to choose: more than one group, or one that must be ticked. */
export function isChoice(asked: readonly DataGroup[]): boolean {
  return asked.length > 1 || asked.some(({ sensitive }) => sensitive);
}

/**
 * The scope of a grant: what was asked for, less the groups the member didn't leave ticked. `*` becomes the types it
 * stood for on the page, so that a type served later isn't in a grant of today.
 *
 * @param ticked ids of groups, as the form sent them; one that wasn't asked for counts for nothing.
 * @returns undefined where data was asked for and none is left.
 */
export function narrowedScope(
  scope: string,
  products: readonly Interface[],
  ticked: readonly string[],
  groups: readonly DataGroup[] = dataGroups,
): string | undefined {
  const allowed = new Set(
    groups.filter(({ id }) => ticked.includes(id)).flatMap((group) => group.resourceTypes),
  );
  const tokens = scope.split(' ');
  const served = resourceTypes(products);
  const data = tokens.flatMap((token) => {
    const asked = parseDataScope(token);
    if (asked === undefined) return [];
    return typesOf(token, served)
      .filter((type) => allowed.has(type))
      .map((resourceType) => formatDataScope({ ...asked, resourceType }));
  });
  const beside = tokens.filter((token) => parseDataScope(token) === undefined);
  if (data.length === 0 && beside.length < tokens.length) return undefined;
  return [...new Set([...beside, ...data])].join(' ');
}

function typesOf(token: string, served: readonly string[]): readonly string[] {
  const asked = parseDataScope(token);
  if (asked === undefined) return [];
  return asked.resourceType === '*' ? served : [asked.resourceType];
}
