import { Stage } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { acknowledgeFindings } from '../constructs/cdk-nag-findings.ts';
import { tagStage } from '../constructs/tag-stage.ts';
import { PortalDataStack } from './data-stack.ts';
import type { PortalStackProps } from './portal-data.ts';
import { PortalSiteStack } from './site-stack.ts';

export type PortalStageProps = Pick<PortalStackProps, 'configuration' | 'environments' | 'bundles' | 'site'>;

/** All stacks of the developer portal: `cdk deploy 'portal/*'`. It refers to the environments by their addresses only. */
export class PortalStage extends Stage {
  constructor(scope: Construct, props: PortalStageProps) {
    const { account, region } = props.configuration;
    super(scope, 'portal', { env: { account, region } });
    // A stack with data can't be deleted before someone turns its protection off.
    const kept = { ...props, terminationProtection: true };
    const data = new PortalDataStack(this, 'Data', kept);
    new PortalSiteStack(this, 'Site', { ...kept, data });
    tagStage(this);
    acknowledgeFindings(this);
  }
}
