import type { ApplicationConfiguration } from '../../lambdas/portal/api/applications.ts';
import type { ApplicationView } from '../../lambdas/portal/api/views.ts';

/** A configuration that is valid for production. */
export const aConfiguration: ApplicationConfiguration = {
  applicationName: 'Claims Companion',
  displayName: 'Companion',
  applicationType: 'web',
  grantType: 'authorization_code',
  responseType: 'code',
  tokenEndpointAuthMethod: 'client_secret_basic',
  pkce: true,
  description: 'Shows a member their claims beside their medicines.',
  products: ['patient-access'],
  linesOfBusiness: ['DSNP', 'MAPD'],
  applicationUri: 'https://companion.example.org/',
  loginInitiateUri: 'https://companion.example.org/login',
  loginRedirectUris: ['https://companion.example.org/callback'],
  logoutRedirectUri: 'https://companion.example.org/goodbye',
  privacyUri: 'https://companion.example.org/privacy',
  tosUri: 'https://companion.example.org/terms',
  contactEmail: 'team@companion.example.org',
  supportPhone: '202-555-0123',
};

/** An application in the sandbox with a successful call, with the changes of the test. */
export function anApplication(overrides: Partial<ApplicationView> = {}): ApplicationView {
  return {
    applicationId: 'app-1',
    name: aConfiguration.applicationName,
    state: 'registered_in_sandbox',
    changeState: 'none',
    version: 1,
    updatedAt: '2026-11-19T15:00:00Z',
    attested: false,
    sandbox: { clientId: 'client-sandbox-1', configuration: aConfiguration },
    evidence: [
      {
        product: 'patient-access',
        lob: 'DSNP',
        at: '2026-11-19T14:00:00Z',
        route: 'GET /extfhirpatientaccess/v1/Patient/{id}',
        requestId: '3f1b9c52-0d5e-4c39-9d4b-1f7f2a6f0c11',
      },
    ],
    timeline: [
      {
        eventId: 'event-1',
        at: '2026-11-19T13:00:00Z',
        actor: { kind: 'developer', name: 'Ada Lovelace' },
        act: 'register',
        state: 'registered_in_sandbox',
      },
    ],
    allowed: ['promote', 'withdraw'],
    appealed: false,
    ...overrides,
  };
}
