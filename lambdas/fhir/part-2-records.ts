/** Records of substance use disorder treatment that 42 CFR Part 2 protects, by the label their source gave them. */

import { jsonMember } from '../kernel/json-members.ts';
import { securityLabels } from './security-labels.ts';

/** Label of HL7's ActCode (http://terminology.hl7.org/CodeSystem/v3-ActCode), in `meta.security`. */
export const part2Label = '42CFRPart2';

/** Whether a resource, or one that it contains, is labeled. */
export function isPart2Record(resource: unknown): boolean {
  return securityLabels(resource).some((coding) => jsonMember(coding, 'code') === part2Label);
}

/** Whether the JSON of a resource can have the label; cheap, so that few resources are parsed for it. */
export function mayBePart2Record(json: string): boolean {
  // A string may be written with escapes (RFC 8259 section 7).
  return json.includes(part2Label) || json.includes('\\u00');
}
