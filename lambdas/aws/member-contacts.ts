import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { MemberLinks } from '../members/sign-in.ts';
import type { MemberContact } from '../oauth/authorize/verification-code.ts';
import { available } from './cognito-failure.ts';

/**
 * Finds a member's contacts: the verified addresses of their account. The user name is the member id.
 *
 * @throws StoreUnavailable where Cognito doesn't answer.
 */
export function createMemberContacts(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
  links: MemberLinks,
): (lob: LineOfBusiness, sub: string) => Promise<MemberContact | undefined> {
  return async (lob, sub) => {
    const link = await links.find(lob, sub);
    if (link === undefined) return undefined;
    const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: link.memberId });
    const { UserAttributes = [] } = await available(() => client.send(command));
    const known = new Map(UserAttributes.map(({ Name, Value }) => [Name, Value]));
    const verified = (name: string) =>
      known.get(`${name}_verified`) === 'true' ? known.get(name) : undefined;
    // Of another account, this would send its owner the code.
    return known.get('sub') === sub
      ? { email: verified('email'), phoneNumber: verified('phone_number') }
      : undefined;
  };
}
