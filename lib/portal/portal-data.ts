/** Properties that the portal's stacks share, and references to what its data stack creates. */

import type { StackProps } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Configuration } from '../config/configuration.ts';
import type { PortalConfiguration } from '../config/portal-configuration.ts';
import type { Alarms } from '../constructs/alarms.ts';
import type { CodeMessages } from '../constructs/code-messages.ts';
import type { PasswordPool } from '../constructs/password-pool.ts';
import type { Reach } from '../rights/statements.ts';

/** Properties of each stack of the portal. */
export interface PortalStackProps extends StackProps {
  readonly configuration: PortalConfiguration;
  /** The environments the portal acts on. */
  readonly environments: readonly Configuration[];
  /** The folder `bin/bundle.ts` writes to. */
  readonly bundles: string;
  /** The folder `portal-static/build` wrote the portal's pages to, for these addresses. */
  readonly site: string;
}

/** The resources the portal's functions share; its data stack makes them. */
export interface PortalData {
  readonly table: TableV2;
  /** The resources here that functions may reach. */
  readonly reach: Reach;
  readonly secretsKey: IKey;
  /** Encrypts the functions' logs and the access log. */
  readonly logKey: IKey;
  /** Developers and operators sign in by account id; the portal finds that by e-mail address or user name. */
  readonly developers: PasswordPool;
  readonly messages: CodeMessages;
  /** Signs the portal's own bot checks. */
  readonly botCheckSecret: { readonly secretArn: string };
  /** Subscription keys of the page "Find a doctor", by environment. */
  readonly directoryKeys: { readonly secretArn: string };
  readonly alarms: Alarms;
}

/** Properties of the portal's functions. */
export interface PortalFunctionsProps
  extends Pick<PortalStackProps, 'configuration' | 'environments' | 'bundles'> {
  readonly data: PortalData;
}
