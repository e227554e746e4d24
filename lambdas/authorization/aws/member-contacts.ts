/** Finds the e-mail address or telephone number for a member's verification code. */

import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import { available } from '../../platform/aws/cognito-failure.ts';
import type { MemberLinks } from '../accounts/sign-in.ts';
import type { MemberContact } from '../authorize/verification-code.ts';

/** Finds the contact data that the plan's last drop loaded for a member identifier. */
export type FindPlanContact = (
  lob: LineOfBusiness,
  memberId: string,
) => Promise<{ readonly reachable: MemberContact } | undefined>;

/**
 * Finds the contact data for a member's verification code: from the plan's last drop or, for a member in no drop, the verified addresses of
 * their Cognito account. For a personal representative who is no member, the representative's own from the drop.
 *
 * @throws StoreUnavailable if Cognito does not answer.
 */
export function createMemberContacts(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
  links: MemberLinks,
  representativeOf: (lob: LineOfBusiness, sub: string) => Promise<string | undefined>,
  findPlanContact: FindPlanContact,
  readTextNumber: (written: string) => Promise<string | undefined>,
): (lob: LineOfBusiness, sub: string) => Promise<MemberContact | undefined> {
  return async (lob, sub) => {
    const link = await links.find(lob, sub);
    if (link === undefined) {
      const representativeId = await representativeOf(lob, sub);
      if (representativeId === undefined) return undefined;
      return (await findPlanContact(lob, representativeId))?.reachable;
    }
    const planned = await findPlanContact(lob, link.planMemberId ?? link.memberId);
    if (planned !== undefined) return planned.reachable;
    const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: link.memberId });
    const { UserAttributes = [] } = await available(() => client.send(command));
    const known = new Map(UserAttributes.map(({ Name, Value }) => [Name, Value]));
    const verified = (name: string) =>
      known.get(`${name}_verified`) === 'true' ? known.get(name) : undefined;
    // The user name now belongs to another account, whose owner must not get the code.
    if (known.get('sub') !== sub) return undefined;
    const phoneNumber = verified('phone_number');
    return { email: verified('email'), phoneNumber: phoneNumber && (await readTextNumber(phoneNumber)) };
  };
}
