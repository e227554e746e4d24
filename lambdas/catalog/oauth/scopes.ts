/** Parses and compares SMART scopes. */

import { isPatientAccessType, servedResource } from '../fhir/fhir-resources.ts';
import { type Interface, interfaces, servedResources } from '../fhir/interfaces.ts';

/**
 * A SMART scope for data. `patient/Patient.read` (SMART App Launch 1) and `patient/Patient.rs` (2.x) mean the same. Only reading is ever
 * granted.
 *
 * @see https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html
 */
export interface DataScope {
  /**
   * A grant has the context that was requested. Both read the same data, because `user/` means the data that the signed-in member may see,
   * which is their own compartment.
   */
  readonly context: 'patient' | 'user';
  /** A FHIR resource type, or `*` for every served type. */
  readonly resourceType: string;
  /** Permission as written in the scope: `read`, or `r`, `s` or both. */
  readonly permission: 'read' | 'r' | 's' | 'rs';
  /** Category that the scope is limited to, as `system|code`: `patient/Observation.rs?category=…|laboratory`. */
  readonly category?: string;
}

/** Categories that a scope of a type can be limited to, as `system|code`. */
export function scopeCategories(resourceType: string): readonly string[] {
  return isPatientAccessType(resourceType) ? (servedResource(resourceType).scopeCategories ?? []) : [];
}

/** The distinct resource types that the interfaces serve to members' applications. */
export function resourceTypes(names: readonly Interface[]): readonly string[] {
  const types = names
    .filter((name) => interfaces[name].caller === 'member')
    .flatMap((name) => servedResources(name).map(([type]) => type));
  return [...new Set(types)];
}

const dataScope = /^(patient|user)\/(\*|[A-Z][A-Za-z]{1,63})\.(read|\*|c?r?u?d?s?)(?:\?category=(.+))?$/;

/**
 * Parses a `patient/…` or `user/…` scope and reduces it to what can be granted: `patient/*.cruds` becomes `patient/*.rs`.
 *
 * @returns undefined if the text is no such scope, asks for writing only, or has a constraint other than a category of the type. Granting
 * the scope without that constraint would be more than requested.
 */
export function parseDataScope(text: string): DataScope | undefined {
  const match = dataScope.exec(text);
  if (match === null) return undefined;
  const [, named, resourceType = '', asked = '', category] = match;
  const context = named === 'user' ? 'user' : 'patient';
  const version1 = asked === 'read' || asked === '*';
  if (category !== undefined && (version1 || !scopeCategories(resourceType).includes(category))) {
    return undefined;
  }
  if (version1) return { context, resourceType, permission: 'read' };
  const letters = ['r', 's'].filter((letter) => asked.includes(letter)).join('');
  if (letters === '') return undefined;
  const permission = letters as 'r' | 's' | 'rs';
  return { context, resourceType, permission, ...(category !== undefined && { category }) };
}

/** The resource type of a scope with an unsupported constraint; undefined for any other text. */
export function typeOfUnknownConstraint(text: string): string | undefined {
  const [, type] = /^(?:patient|user)\/(\*|[A-Z][A-Za-z]{1,63})\.[a-z*]+\?/.exec(text) ?? [];
  return type !== undefined && parseDataScope(text) === undefined ? type : undefined;
}

export function formatDataScope({ context, resourceType, permission, category }: DataScope): string {
  const constraint = category === undefined ? '' : `?category=${category}`;
  return `${context}/${resourceType}.${permission}${constraint}`;
}

/** Whether granted scopes (space-separated) allow FHIR's read interaction on a resource type. */
export function allowsRead(scope: string, resourceType: string): boolean {
  return allows(scope, resourceType, 'r');
}

/** Whether granted scopes (space-separated) allow FHIR's search-type interaction on a resource type. */
export function allowsSearch(scope: string, resourceType: string): boolean {
  return allows(scope, resourceType, 's');
}

function allows(scope: string, resourceType: string, letter: 'r' | 's'): boolean {
  return grantedScopes(scope, resourceType, letter).length > 0;
}

/** The categories that granted scopes (space-separated) limit an interaction to; undefined if they do not limit it. */
export function allowedCategories(
  scope: string,
  resourceType: string,
  letter: 'r' | 's',
): readonly string[] | undefined {
  const categories = grantedScopes(scope, resourceType, letter).map(({ category }) => category);
  return categories.every((category) => category !== undefined) ? categories : undefined;
}

function grantedScopes(scope: string, resourceType: string, letter: 'r' | 's'): readonly DataScope[] {
  return scope.split(' ').flatMap((text) => {
    const granted = parseDataScope(text);
    if (granted === undefined || !lettersOf(granted).includes(letter)) return [];
    return granted.resourceType === '*' || granted.resourceType === resourceType ? [granted] : [];
  });
}

/** Supported scopes that are not about data. Unknown scopes are not granted. */
export const identityScopes = ['openid', 'fhirUser', 'launch/patient', 'offline_access'] as const;

/** Whether a scope asks for offline access, for which a refresh token is issued (OpenID Connect Core section 11). */
export function includesOfflineAccess(scope: string): boolean {
  return scope.split(' ').includes('offline_access');
}

/** Whether granted scopes (space-separated) include all that a single scope allows. */
export function includesScope(granted: string, text: string): boolean {
  const asked = parseDataScope(text);
  return granted.split(' ').some((one) => {
    if (one === text) return true;
    const known = parseDataScope(one);
    return (
      asked !== undefined &&
      known !== undefined &&
      known.context === asked.context &&
      (known.resourceType === '*' || known.resourceType === asked.resourceType) &&
      (known.category === undefined || known.category === asked.category) &&
      lettersOf(asked).every((letter) => lettersOf(known).includes(letter))
    );
  });
}

/** The interactions of a permission: `read` of SMART App Launch 1 is `rs` of 2.x. */
function lettersOf({ permission }: DataScope): readonly string[] {
  return permission === 'read' ? ['r', 's'] : [...permission];
}
