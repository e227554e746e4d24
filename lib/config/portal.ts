/** Configuration of the developer portal: example values, to be replaced by the platform team's. */

import type { PortalConfigurationInput } from './portal-configuration.ts';

export const portal: PortalConfigurationInput = {
  hostname: 'developer.memberdata.example',
  account: '777788889999',
  region: 'us-east-1',
  certificateArn: 'arn:aws:acm:us-east-1:777788889999:certificate/5d2f8a1c-7b64-4e90-8c3d-a1f0b9e2d7c6',
  senderDomain: 'developer.memberdata.example',
  supportEmail: 'developer-support@memberdata.example',
  protectedNames: ['CareFirst', 'Medicare', 'Medicaid', 'CMS', 'HHS', 'HealthCare.gov', 'Social Security'],
  tiers: { sandbox: 'standard', production: 'standard' },
};
