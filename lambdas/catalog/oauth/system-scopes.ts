/** Parses, grants and compares system scopes of SMART Backend Services. */

import { patientAccessTypes } from '../fhir/fhir-resources.ts';

/** A system scope of either version (SMART App Launch 2.2, "Scopes for requesting FHIR Resources"). */
const pattern = /^system\/(\*|[A-Z][A-Za-z]{1,63})\.(read|write|\*|c?r?u?d?s?)(\?[\x21-\x7e]+)?$/;

/** Whether a text has the form of a system scope. */
export function isSystemScope(text: string): boolean {
  return pattern.test(text);
}

/**
 * Scopes that name an operation, as in PDex's pages and its implementations: the definition's URL
 * (`…/OperationDefinition/BulkMemberMatch`), `system/Group.$davinci-data-export`, and `system.Group.u?code=…`.
 */
const operationPattern =
  /^(?:http:\/\/hl7\.org\/fhir\/us\/davinci-(?:pdex|hrex)\/OperationDefinition\/[A-Za-z-]{1,64}|system[./][A-Z][A-Za-z]{1,63}\.\$[A-Za-z-]{1,64}|system\.[A-Z][A-Za-z]{1,63}\.[cruds]{1,5}(?:\?[\x21-\x7e]+)?)$/;

/** Whether a text is a scope of an operation. Such a scope is never granted itself: the scopes of the types that an operation reads allow it. */
export function isOperationScope(text: string): boolean {
  return operationPattern.test(text);
}

/**
 * Scopes of operations, each with the system scope of what the operation reads. An export is asked for by its own name, or by the group of
 * matched members (PDex 2.2.0, "Payer-to-Payer Bulk Exchange").
 */
const operationReads: readonly (readonly [operation: RegExp, scope: string])[] = [
  [/\/OperationDefinition\/(?:bulk-member-match|BulkMemberMatch|member-match)$/, 'system/Patient.rs'],
  [/^system[./](?:Patient|Group)\.\$(?:bulk-)?member-match$/, 'system/Patient.rs'],
  [/\/OperationDefinition\/davinci-data-export$/, 'system/*.rs'],
  [/^system[./]Group\.\$(?:davinci-data-)?export$/, 'system/*.rs'],
  [
    /^system\.Group\.u\?code=http:\/\/hl7\.org\/[^|]+\/PDexMultiMemberMatchResult(?:VS|CS)\|match$/i,
    'system/*.rs',
  ],
];

/** The system scope of what the operation of a scope reads; undefined for an operation that is not served. */
export function scopeOfOperation(text: string): string | undefined {
  return operationReads.find(([operation]) => operation.test(text))?.[1];
}

/** Resource types of Payer Access: those of members' data, and Group. */
const payerTypes: readonly string[] = [...patientAccessTypes, 'Group'];

/**
 * The part of a system scope that can be granted: reading and searching one type of Payer Access, or all. Writing, other types and scopes
 * with a query are never granted.
 */
export function grantableSystemScope(text: string): string | undefined {
  const [, type = '', asked = '', query] = pattern.exec(text) ?? [];
  if (query !== undefined || (type !== '*' && !payerTypes.includes(type))) return undefined;
  const letters =
    asked === 'read' || asked === '*' ? 'rs' : ['r', 's'].filter((letter) => asked.includes(letter)).join('');
  return letters === '' || asked === 'write' ? undefined : `system/${type}.${letters}`;
}

/** Whether granted scopes (space-separated) allow reading a type of members' resources. */
export function allowsSystemRead(scope: string, resourceType: string): boolean {
  return scope.split(' ').some((text) => {
    const [, type, letters = ''] = /^system\/([^.]+)\.(rs?)$/.exec(text) ?? [];
    return letters !== '' && (type === '*' || type === resourceType);
  });
}

/** System scopes in discovery (`scopes_supported`). */
export const systemScopesSupported: readonly string[] = [
  'system/*.rs',
  ...payerTypes.map((type) => `system/${type}.rs`),
];
