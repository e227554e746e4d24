import { type Interface, interfaces, servedResources } from './interfaces.ts';

/**
 * SMART scopes as they are granted and checked: `patient/Patient.read` (SMART App Launch 1) and `patient/Patient.rs`
 * (2.x) say the same. Only reading is ever granted.
 * @see https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html
 */
export interface DataScope {
  /**
   * `user/` names what the signed-in member may see, and here that is their own compartment: both contexts read the same
   * data. An application is granted the one it asked for.
   */
  readonly context: 'patient' | 'user';
  /** A FHIR resource type, or `*` for every type served. */
  readonly resourceType: string;
  /** Permission as it is written: `.read`, or a non-empty part of `.rs`. */
  readonly permission: 'read' | 'r' | 's' | 'rs';
}

/** The resource types that any of the interfaces serves to members' applications, without repetition. */
export function resourceTypes(names: readonly Interface[]): readonly string[] {
  const types = names
    .filter((name) => interfaces[name].caller === 'member')
    .flatMap((name) => servedResources(name).map(([type]) => type));
  return [...new Set(types)];
}

const dataScope = /^(patient|user)\/(\*|[A-Z][A-Za-z]{1,63})\.(read|\*|c?r?u?d?s?)$/;

/**
 * Reads one `patient/…` or `user/…` scope and leaves of it what can be granted: `patient/*.cruds` is read as `patient/*.rs`.
 *
 * @returns undefined where the text is no such scope or asks for nothing but writing. Constraints (`?category=…`) are
 *   not supported, so a scope with one is none: granting it without its constraint would be wider than asked for.
 */
export function parseDataScope(text: string): DataScope | undefined {
  const match = dataScope.exec(text);
  if (match === null) return undefined;
  const [, named, resourceType = '', asked = ''] = match;
  const context = named === 'user' ? 'user' : 'patient';
  if (asked === 'read' || asked === '*') return { context, resourceType, permission: 'read' };
  const letters = ['r', 's'].filter((letter) => asked.includes(letter)).join('');
  return letters === '' ? undefined : { context, resourceType, permission: letters as 'r' | 's' | 'rs' };
}

export function formatDataScope(scope: DataScope): string {
  return `${scope.context}/${scope.resourceType}.${scope.permission}`;
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
  return scope.split(' ').some((text) => {
    const granted = parseDataScope(text);
    return (
      granted !== undefined &&
      lettersOf(granted).includes(letter) &&
      (granted.resourceType === '*' || granted.resourceType === resourceType)
    );
  });
}

/** Scopes beside data that are understood; the others are left out of what is granted. */
export const identityScopes = ['openid', 'fhirUser', 'launch/patient', 'offline_access'] as const;

/** Whether a scope asks for offline access: a refresh token is issued (OpenID Connect Core section 11). */
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
      lettersOf(asked).every((letter) => lettersOf(known).includes(letter))
    );
  });
}

/** `read` of SMART App Launch 1 is `rs` of 2.x. */
function lettersOf({ permission }: DataScope): readonly string[] {
  return permission === 'read' ? ['r', 's'] : [...permission];
}
