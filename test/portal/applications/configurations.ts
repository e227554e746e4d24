import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import type { Application } from '../../../lambdas/portal/applications/application.ts';

/** The configuration of a web application, valid for both environments. */
export function configuration(changed: Partial<ApplicationConfiguration> = {}): ApplicationConfiguration {
  return {
    applicationName: 'Sunrise Health',
    displayName: 'Sunrise',
    applicationType: 'web',
    grantType: 'authorization_code',
    responseType: 'code',
    tokenEndpointAuthMethod: 'client_secret_basic',
    pkce: true,
    description: 'Shows members their own data.',
    products: ['patient-access'],
    linesOfBusiness: ['DSNP', 'MAPD'],
    applicationUri: 'https://sunrise-health.org/',
    loginInitiateUri: 'https://sunrise-health.org/login',
    loginRedirectUris: ['https://sunrise-health.org/callback'],
    logoutRedirectUri: 'https://sunrise-health.org/bye',
    privacyUri: 'https://sunrise-health.org/privacy',
    tosUri: 'https://sunrise-health.org/terms',
    contactEmail: 'support@sunrise-health.org',
    supportPhone: '202-456-1111',
    ...changed,
  };
}

/** The configuration of a back-end service. */
export function service(changed: Partial<ApplicationConfiguration> = {}): ApplicationConfiguration {
  const {
    loginInitiateUri: _initiate,
    loginRedirectUris: _login,
    logoutRedirectUri: _logout,
    ...its
  } = configuration();
  return {
    ...its,
    applicationType: 'service',
    grantType: 'client_credentials',
    responseType: 'none',
    ...changed,
  };
}

export const terms = { tier: 'standard', tryItRedirectUri: 'http://portal.localhost:8080/try/callback' };

export function application(changed: Partial<Application> = {}): Application {
  return {
    applicationId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    teamId: 'team-1',
    version: 1,
    state: 'registered_in_sandbox',
    changeState: 'none',
    createdBy: 'account-1',
    createdAt: '2026-03-02T10:00:00.000Z',
    updatedAt: '2026-03-02T10:00:00.000Z',
    sandbox: configuration(),
    appealed: false,
    ...changed,
  };
}
