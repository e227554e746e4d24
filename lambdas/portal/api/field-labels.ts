import type { ConfigurationField } from './applications.ts';

/** The labels of an application's fields, on pages and in mails (docs/service.md S3.1, S3.2). */
export const fieldLabels: Readonly<Record<ConfigurationField, string>> = {
  applicationName: 'Application Name',
  displayName: 'Application Display name',
  applicationType: 'Application Type',
  grantType: 'Grant Type',
  responseType: 'Response Types',
  tokenEndpointAuthMethod: 'Token Endpoint Authorization Method',
  jwksUri: 'JWKS URI',
  jwks: 'JWK Set',
  pkce: 'PKCE',
  description: 'Application Description',
  products: 'Products',
  linesOfBusiness: 'Lines of business',
  applicationUri: 'Application URI',
  loginInitiateUri: 'Login initiate URI',
  loginRedirectUris: 'Login Redirect URI',
  logoutRedirectUri: 'Logout Redirect URI',
  attestationCertsUri: 'Attestation Certs URI',
  privacyUri: 'Privacy URI',
  tosUri: 'TOS URI',
  contactEmail: 'Contact Email',
  supportPhone: 'US Support Contact Phone Number',
};
