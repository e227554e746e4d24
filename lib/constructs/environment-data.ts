/** Properties that the stacks of an environment share, and references to the table, keys and user pool that `data-stack.ts` creates. */

import type { StackProps } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { SigningKeyOwner } from '../../lambdas/catalog/oauth/token-issuer.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Reach } from '../rights/statements.ts';
import type { Alarms } from './alarms.ts';
import type { PasswordPool } from './password-pool.ts';
import type { WebAcl } from './web-acl.ts';

/** Properties of each stack of an environment. */
export interface EnvironmentStackProps extends StackProps {
  readonly configuration: Configuration;
  /** The folder `bin/bundle.ts` writes to. */
  readonly bundles: string;
}

/** The resources an environment's functions and hosts share; the data stack makes them. */
export interface EnvironmentData {
  readonly table: TableV2;
  /** The resources here that functions may reach. */
  readonly reach: Reach;
  /** Encrypts the functions' logs and the access logs. */
  readonly logKey: IKey;
  /** Encrypts the copies of client secrets that View Credentials shows. */
  readonly credentialKey: IKey;
  /** Encrypts the data keys of members' contact data. */
  readonly contactKey: IKey;
  /** Members sign in by member id, which is the user name, or by e-mail address. */
  readonly memberPool: PasswordPool;
  readonly webAcl: WebAcl;
  readonly alarms: Alarms;
  /** Value of `SIGNING_SECRETS` for a function that signs for these owners. */
  signingSecretArns(owners: readonly SigningKeyOwner[]): string;
  /** Secrets of this environment at plans' identity providers. */
  readonly providerSecrets: { arns(): Readonly<Record<string, string>> };
}
