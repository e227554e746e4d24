/**
 * Reads from Cognito whether a member's account is active, at consent and when a session is used. A refresh reads the list of disabled
 * accounts instead (docs/decisions/0054).
 */

import {
  AdminGetUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { isFederatedSubject } from '../../catalog/oauth/identity-providers.ts';
import { cognitoTimeoutMs, meaningOf } from '../../platform/aws/cognito-failure.ts';
import { StoreUnavailable } from '../../platform/table/table.ts';
import { type AccountAccess, identifierOf, type SharablePatient } from '../accounts/account-access.ts';
import { type FindActiveAccount, type IsAccountClosed, referenceTo } from '../oauth/member-account.ts';

/**
 * Status of an account for one patient. `stands`: active. `waits`: enabled, but the password must be set or was reset. `ended`: disabled or
 * deleted, without access to the patient, or the session is over.
 */
interface AccountStatus {
  readonly status: 'stands' | 'waits' | 'ended' | 'unavailable';
  /** Patients the account may share. */
  readonly patients: readonly SharablePatient[];
}

/** Reads the status of accounts from the environment's user pool. The user name is the plan's identifier of the account holder. */
function createAccountStatus(
  client: CognitoIdentityProviderClient,
  userPoolId: string,
  access: AccountAccess,
) {
  return async (
    ...[lob, { sub, patientId, sessionEpoch }]: Parameters<IsAccountClosed>
  ): Promise<AccountStatus> => {
    const [patients, epoch] = await Promise.all([
      access.patientsOf(lob, { sub }),
      sessionEpoch === undefined ? undefined : access.sessionEpochOf(sub),
    ]);
    const patient = patients.find((each) => each.patientId === patientId);
    if (patient === undefined || epoch !== sessionEpoch) return { status: 'ended', patients };
    // The status of an account at the plan's identity provider can't be read here; the provider refuses its next sign-in.
    if (isFederatedSubject(sub)) return { status: 'stands', patients };
    return { status: await statusOf(sub, identifierOf(patient)), patients };
  };

  async function statusOf(sub: string, username: string): Promise<AccountStatus['status']> {
    try {
      const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: username });
      const abortSignal = AbortSignal.timeout(cognitoTimeoutMs);
      const { Enabled, UserStatus, UserAttributes = [] } = await client.send(command, { abortSignal });
      const own = UserAttributes.some(({ Name, Value }) => Name === 'sub' && Value === sub);
      if (!own || Enabled !== true) return 'ended';
      return UserStatus === 'CONFIRMED' ? 'stands' : 'waits';
    } catch (error) {
      return meaningOf(error) === 'unavailable' ? 'unavailable' : 'ended';
    }
  }
}

export function createFindActiveAccount(...pool: Parameters<typeof createAccountStatus>): FindActiveAccount {
  const find = createAccountStatus(...pool);
  return async (lob, member) => {
    const { status, patients } = await find(lob, member);
    return status === 'stands' ? { ...referenceTo(member), patients } : undefined;
  };
}

export function createIsAccountClosed(...pool: Parameters<typeof createAccountStatus>): IsAccountClosed {
  const find = createAccountStatus(...pool);
  return async (...member) => {
    const { status } = await find(...member);
    if (status === 'unavailable') throw new StoreUnavailable(new Error('the user pool did not answer'));
    return status === 'ended';
  };
}
