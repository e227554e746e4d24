/** Records of substance use disorder treatment that 42 CFR Part 2 protects, by the label their source gave them. */

import { jsonMember } from '../../platform/kernel/json-members.ts';
import { plainCode } from './code-systems.ts';
import { securityLabels } from './security-labels.ts';

/** Label of HL7's ActCode (http://terminology.hl7.org/CodeSystem/v3-ActCode), in `meta.security`. */
export const part2Label = '42CFRPart2';

/** Whether a resource, or one that it contains, is labeled. */
export function isPart2Record(resource: unknown): boolean {
  return securityLabels(resource).some((coding) => {
    const code = jsonMember(coding, 'code');
    return typeof code === 'string' && plainCode(code) === plainCode(part2Label);
  });
}
