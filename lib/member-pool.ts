import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type IUserPoolClient, UserPool, type UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

/**
 * The members who can sign in: by member id (the user name) or e-mail. Members don't enrol themselves here; the plan's
 * load makes them. Only the `authorize` function signs them in, with a secret client, so that the pool has no public
 * door.
 */
export class MemberPool extends Construct {
  readonly pool: UserPool;
  readonly client: UserPoolClient & IUserPoolClient;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.pool = new UserPool(this, 'Pool', {
      signInAliases: { username: true, email: true },
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
    this.client = this.pool.addClient('Authorize', {
      generateSecret: true,
      authFlows: { adminUserPassword: true },
      disableOAuth: true,
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
    });
  }

  statement(actions: readonly string[]): PolicyStatement {
    return new PolicyStatement({
      actions: actions.map((action) => `cognito-idp:${action}`),
      resources: [this.pool.userPoolArn],
    });
  }
}
