/** Construct: a Cognito user pool for sign-in by password. */

import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  FeaturePlan,
  type IUserPoolClient,
  type SignInAliases,
  UserPool,
  type UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';

export interface PasswordPoolProps {
  /** Aliases a user may sign in with, in addition to the user name. */
  readonly signInAliases: SignInAliases;
  /** Construct id of the one client. */
  readonly client: string;
}

/**
 * A user pool for sign-in by password: the members of an environment, or the developers of the portal. Users can't
 * sign up; functions create them. Only functions sign them in, with a confidential client, so that the pool has no public
 * endpoint.
 */
export class PasswordPool extends Construct {
  readonly pool: UserPool;
  readonly client: UserPoolClient & IUserPoolClient;

  constructor(scope: Construct, id: string, { signInAliases, client }: PasswordPoolProps) {
    super(scope, id);
    this.pool = new UserPool(this, 'Pool', {
      // Passwords that functions check need no other; an active user costs a third of the default plan's.
      featurePlan: FeaturePlan.LITE,
      signInAliases,
      selfSignUpEnabled: false,
      // Length and no composition rules: NIST SP 800-63B-4 section 3.1.1.2.
      passwordPolicy: {
        minLength: 15,
        requireLowercase: false,
        requireUppercase: false,
        requireDigits: false,
        requireSymbols: false,
        tempPasswordValidity: Duration.days(7),
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.client = this.pool.addClient(client, {
      generateSecret: true,
      authFlows: { adminUserPassword: true },
      disableOAuth: true,
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
    });
  }
}
