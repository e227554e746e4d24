/** System scopes of SMART Backend Services: parsed, granted and compared. */

import { patientAccessTypes } from '../fhir/fhir-resources.ts';

/** SMART App Launch 2.2, "Scopes for requesting FHIR Resources", of either version. */
const pattern = /^system\/(\*|[A-Z][A-Za-z]{1,63})\.(read|write|\*|c?r?u?d?s?)(\?[\x21-\x7e]+)?$/;

/** Whether a text is a system scope, granted or not. */
export function isSystemScope(text: string): boolean {
  return pattern.test(text);
}

/**
 * Scopes that name an operation, as PDex's pages and its implementers write them: the definition's URL (`…/OperationDefinition/BulkMemberMatch`),
 * `system/Group.$davinci-data-export`, and `system.Group.u?code=…`.
 */
const operationPattern =
  /^(?:http:\/\/hl7\.org\/fhir\/us\/davinci-(?:pdex|hrex)\/OperationDefinition\/[A-Za-z-]{1,64}|system[./][A-Z][A-Za-z]{1,63}\.\$[A-Za-z-]{1,64}|system\.[A-Z][A-Za-z]{1,63}\.[cruds]{1,5}(?:\?[\x21-\x7e]+)?)$/;

/** Whether a text is a scope of an operation. None is granted: an operation is allowed by the types it reads. */
export function isOperationScope(text: string): boolean {
  return operationPattern.test(text);
}

/** Types of Payer Access: those of members' data, and the groups of matched members. */
const payerTypes: readonly string[] = [...patientAccessTypes, 'Group'];

/**
 * The part of a system scope that is granted: reading and searching of a type of Payer Access, or of all. Writing, other types and
 * limits by a query are never granted.
 */
export function grantableSystemScope(text: string): string | undefined {
  const [, type = '', asked = '', query] = pattern.exec(text) ?? [];
  if (query !== undefined || (type !== '*' && !payerTypes.includes(type))) return undefined;
  const letters =
    asked === 'read' || asked === '*' ? 'rs' : ['r', 's'].filter((letter) => asked.includes(letter)).join('');
  return letters === '' || asked === 'write' ? undefined : `system/${type}.${letters}`;
}

/** Whether granted scopes (space-separated) allow reading a resource type of members. */
export function allowsSystemRead(scope: string, resourceType: string): boolean {
  return scope.split(' ').some((text) => {
    const [, type, letters = ''] = /^system\/([^.]+)\.(rs?)$/.exec(text) ?? [];
    return letters !== '' && (type === '*' || type === resourceType);
  });
}

/** System scopes of discovery (`scopes_supported`). */
export const systemScopesSupported: readonly string[] = [
  'system/*.rs',
  ...payerTypes.map((type) => `system/${type}.rs`),
];
