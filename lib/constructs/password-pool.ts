/** Construct of a Cognito user pool for sign-in by password. */

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
  /** Aliases with which a user may sign in, in addition to the user name. */
  readonly signInAliases: SignInAliases;
  /** Construct ID of the pool's only client. */
  readonly client: string;
}

/**
 * A user pool for sign-in by password, for the members of an environment or the developers of the portal. Users can't sign up by
 * themselves; functions create them. Only functions sign users in, by a confidential client, so that the pool has no public endpoint.
 */
export class PasswordPool extends Construct {
  readonly pool: UserPool;
  readonly client: UserPoolClient & IUserPoolClient;

  constructor(scope: Construct, id: string, { signInAliases, client }: PasswordPoolProps) {
    super(scope, id);
    this.pool = new UserPool(this, 'Pool', {
      // This plan has all features that functions need to check passwords, and costs a third of the default plan.
      featurePlan: FeaturePlan.LITE,
      signInAliases,
      selfSignUpEnabled: false,
      // Only a minimum length, no composition rules: NIST SP 800-63B-4 section 3.1.1.2.
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
