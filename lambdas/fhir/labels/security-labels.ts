/** Security labels of a resource (R4, security-labels.html), as its source gave them. */

import { jsonEntries, jsonMember } from '../../platform/kernel/json-members.ts';

/** The Codings in `meta.security` of a resource and of the resources that it contains. */
export function securityLabels(resource: unknown): readonly unknown[] {
  const parts = [resource, ...jsonEntries(jsonMember(resource, 'contained'))];
  return parts.flatMap((part) => jsonEntries(jsonMember(jsonMember(part, 'meta'), 'security')));
}
