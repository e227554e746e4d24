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
  /** Folder with the functions that `bin/bundle.ts` bundled. */
  readonly bundles: string;
}

/** The resources that an environment's functions and hosts share; the data stack creates them. */
export interface EnvironmentData {
  readonly table: TableV2;
  /** The shared resources that rights may refer to. */
  readonly reach: Reach;
  /** Encrypts the functions' logs and the access logs. */
  readonly logKey: IKey;
  /** Encrypts the stored client secrets that View Credentials shows. */
  readonly credentialKey: IKey;
  /** Encrypts the data keys that encrypt members' contact data. */
  readonly contactKey: IKey;
  /** User pool of members, who sign in by member ID, which is the user name, or by e-mail address. */
  readonly memberPool: PasswordPool;
  readonly webAcl: WebAcl;
  readonly alarms: Alarms;
  /** The value of `SIGNING_SECRETS` for a function that signs for these key owners. */
  signingSecretArns(owners: readonly SigningKeyOwner[]): string;
  /** The environment's client secrets at plans' identity providers. */
  readonly providerSecrets: { arns(): Readonly<Record<string, string>> };
}
