/** Configuration of the production environment: example values, to be replaced by the platform team's. */

import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import type { ConfigurationInput } from './configuration.ts';

export const production: ConfigurationInput = {
  environment: 'production',
  domain: 'memberdata.example',
  account: '444455556666',
  region: 'us-east-1',
  certificateArn: 'arn:aws:acm:us-east-1:444455556666:certificate/9e8d7c6b-5a49-4382-a716-f0e1d2c3b4a5',
  resourceId: 'c95a17d2-80fe-46b3-b1d8-e24f60937ac1',
  lifetimes: {
    memberAccessTokenSeconds: 1800,
    clientAccessTokenSeconds: 300,
    authorizationCodeSeconds: 60,
    interactionSeconds: 900,
    grantDays: 395,
    refreshIdleDays: 100,
  },
  rates: { tokenRequestsPerMinute: 3_000, hostRequestsPerSecond: 1_000, hostBurst: 2_000 },
  loads: { maxConcurrency: 20, rangeMegabytes: 8, toleratedFailurePercent: {} },
  tiers: {
    standard: { requestsPerSecond: 50, burst: 200, requestsPerDay: 500_000 },
  },
  linesOfBusiness: [...lineOfBusinessCodes],
  auditArchive: { lock: 'compliance', years: 10 },
  keyRotationDays: 90,
  planIdentifiers: {
    CHPDC: { naic: '99901', npi: '1999999018' },
    CHPMD: { naic: '99902', npi: '1999999026' },
    DSNP: { naic: '99903', npi: '1999999034' },
    MAPD: { naic: '99904', npi: '1999999042' },
    MHBE: { naic: '99905', npi: '1999999059' },
    EGWP: { naic: '99906', npi: '1999999067' },
  },
};
