/** Recognizes records of substance use disorder treatment that 42 CFR Part 2 protects, by the security label of their source. */

import { jsonMember } from '../../platform/kernel/json-members.ts';
import { plainCode } from './code-systems.ts';
import { securityLabels } from './security-labels.ts';

/** The label's code in HL7's ActCode (http://terminology.hl7.org/CodeSystem/v3-ActCode), in `meta.security`. */
export const part2Label = '42CFRPart2';

/** Whether a resource, or one of its contained resources, has the label of 42 CFR Part 2. */
export function isPart2Record(resource: unknown): boolean {
  return securityLabels(resource).some((coding) => {
    const code = jsonMember(coding, 'code');
    return typeof code === 'string' && plainCode(code) === plainCode(part2Label);
  });
}
