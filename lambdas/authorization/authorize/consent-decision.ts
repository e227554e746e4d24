/** Data groups that a scope asks for, and the scope that remains after the member's choice. */

import { categoryWords, type DataGroup, dataGroups } from '../../catalog/fhir/data-groups.ts';
import type { Interface } from '../../catalog/fhir/interfaces.ts';
import { mayBeSensitive, sensitiveScope } from '../../catalog/fhir/sensitive-categories.ts';
import {
  type DataScope,
  formatDataScope,
  parseDataScope,
  resourceTypes,
} from '../../catalog/oauth/scopes.ts';

/**
 * The data groups that a scope asks for, in the catalog's order. `*` stands for all resource types that the products serve today. If the
 * scope asks for categories of a group only, the group's detail names them. Sensitive categories are offered as soon as the scope asks for
 * a type that can be of one.
 */
export function requestedGroups(
  scope: string,
  products: readonly Interface[],
  groups: readonly DataGroup[] = dataGroups,
): readonly DataGroup[] {
  const served = resourceTypes(products);
  const asked = scope.split(' ').flatMap((token) => parseDataScope(token) ?? []);
  const typesAsked = asked.flatMap(({ resourceType }) => (resourceType === '*' ? served : [resourceType]));
  const offersCategories = typesAsked.some((type) => served.includes(type) && mayBeSensitive(type));
  return groups.flatMap((group) => {
    if (group.category !== undefined) return offersCategories ? [group] : [];
    const own = asked.filter(({ resourceType }) =>
      (resourceType === '*' ? served : [resourceType]).some((type) => group.resourceTypes.includes(type)),
    );
    return own.length === 0 ? [] : [limitedGroup(group, own)];
  });
}

/** The data groups of a granted scope, with those sensitive categories that the member ticked. */
export function sharedGroups(scope: string, products: readonly Interface[]): readonly DataGroup[] {
  const tokens = scope.split(' ');
  return requestedGroups(scope, products).filter(
    ({ category }) => category === undefined || tokens.includes(sensitiveScope(category)),
  );
}

/** The group with a detail that names the requested categories; the group unchanged if all of it is requested. */
function limitedGroup(group: DataGroup, asked: readonly DataScope[]): DataGroup {
  const codes = asked.map(({ category }) => category?.slice(category.lastIndexOf('|') + 1));
  const words = [...new Set(codes)].map((code) => (code === undefined ? undefined : categoryWords[code]));
  if (!words.every((each) => each !== undefined)) return group;
  const { en, es } = group.words;
  return {
    ...group,
    words: {
      en: { ...en, detail: `Only ${words.map((each) => each.en).join('; ')}` },
      es: { ...es, detail: `Solo ${words.map((each) => each.es).join('; ')}` },
    },
  };
}

/**
 * The scope of a grant: the requested scope without the groups that the member did not tick, and with the scopes of the sensitive
 * categories that the member ticked. `*` becomes the types served today, so that the grant does not include types served later.
 *
 * @param ticked IDs of groups from the form; groups that were not requested are ignored.
 * @returns undefined if data was requested and none is left.
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
  const categories = requestedGroups(data.join(' '), products, groups).flatMap(({ id, category }) =>
    category !== undefined && ticked.includes(id) ? [sensitiveScope(category)] : [],
  );
  return [...new Set([...beside, ...data, ...categories])].join(' ');
}

function typesOf(token: string, served: readonly string[]): readonly string[] {
  const asked = parseDataScope(token);
  if (asked === undefined) return [];
  return asked.resourceType === '*' ? served : [asked.resourceType];
}
