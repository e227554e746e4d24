/** Properties that the portal's stacks share, and references to the resources of its data stack. */

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
  /** The environments that the portal manages. */
  readonly environments: readonly Configuration[];
  /** Folder with the functions that `bin/bundle.ts` bundled. */
  readonly bundles: string;
  /** Folder with the portal's pages that `portal-static/build` wrote for these addresses. */
  readonly site: string;
}

/** The resources that the portal's functions share; the data stack creates them. */
export interface PortalData {
  readonly table: TableV2;
  /** The shared resources that rights may refer to. */
  readonly reach: Reach;
  readonly secretsKey: IKey;
  /** Encrypts the functions' logs and the access log. */
  readonly logKey: IKey;
  /** User pool of developers and operators, who sign in by account ID. The portal looks it up by e-mail address or user name. */
  readonly developers: PasswordPool;
  readonly messages: CodeMessages;
  /** Secret that signs the portal's own bot checks. */
  readonly botCheckSecret: { readonly secretArn: string };
  /** Secret with the subscription keys of the page "Find a doctor", by environment. */
  readonly directoryKeys: { readonly secretArn: string };
  readonly alarms: Alarms;
}

/** Properties of the portal's functions. */
export interface PortalFunctionsProps
  extends Pick<PortalStackProps, 'configuration' | 'environments' | 'bundles'> {
  readonly data: PortalData;
}
