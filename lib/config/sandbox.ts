/** Configuration of the sandbox environment: example values, to be replaced by the platform team's. */

import { lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import type { ConfigurationInput } from './configuration.ts';

export const sandbox: ConfigurationInput = {
  environment: 'sandbox',
  domain: 'sandbox.memberdata.example',
  account: '111122223333',
  region: 'us-east-1',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0f7c2e5a-3d41-4b8e-9a56-1c2d3e4f5a6b',
  resourceId: '3b0d8f6e-5c1a-4e27-9f43-7a2c61d0b985',
  lifetimes: {
    memberAccessTokenSeconds: 1800,
    clientAccessTokenSeconds: 300,
    authorizationCodeSeconds: 60,
    interactionSeconds: 900,
    grantDays: 395,
    refreshIdleDays: 100,
  },
  rates: { tokenRequestsPerMinute: 3_000, hostRequestsPerSecond: 500, hostBurst: 1_000 },
  loads: { maxConcurrency: 20, rangeMegabytes: 8, toleratedFailurePercent: {} },
  tiers: {
    standard: { requestsPerSecond: 50, burst: 200, requestsPerDay: 50_000 },
    // Calls of all visitors who try the sandbox on the portal's pages, without an account.
    demonstration: { requestsPerSecond: 10, burst: 40, requestsPerDay: 20_000 },
  },
  linesOfBusiness: [...lineOfBusinessCodes],
  auditArchive: { lock: 'governance', years: 1 },
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
