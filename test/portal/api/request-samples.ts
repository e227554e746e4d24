import type { ClientJwk } from '../../../lambdas/catalog/oauth/client-jwks.ts';
import { attestation, hipaaAffirmation, termsOfUse } from '../../../lambdas/portal/catalog/agreements.ts';
import type { PortalRouteName } from '../../../lambdas/portal/catalog/portal-routes.ts';
import { configuration, service } from '../applications/configurations.ts';

/** Bodies that the operations of the portal's API accept: for each operation one of each kind, with every optional field. */

const version = { version: 3 };
const code = { code: '123456' };
const secret = {
  password: 'quiet orchard of seven kites',
  passwordConfirmation: 'quiet orchard of seven kites',
};
const common = { ...secret, username: 'dana.okafor', botCheck: 'answer', invitation: 'x'.repeat(43) };
const names = { firstName: 'Dana', lastName: 'Okafor' };
const contact = (name: string) => ({
  ...{ firstName: name, lastName: 'Payer', email: `${name}@payer.example` },
  ...{ phone: '202-555-0123', designation: 'compliance officer' },
});
const organization = {
  companyLegalName: 'Good Health Inc',
  companyEmailDomain: 'payer.example',
  hipaaAffirmation: { accepted: true, version: hipaaAffirmation.version },
  companyAddress: {
    ...{ street: '1 Main Street', state: 'DC', city: 'Washington', zipCode: '20001-0001' },
    ...{ phone: '(202) 555-0123', websiteUrl: 'https://payer.example/' },
  },
  customerServiceEmail: 'help@payer.example',
  customerServicePhone: '+1 202 555 0123',
  primaryContact: contact('ada'),
  secondaryContact: contact('ben'),
  ...common,
};

const key: ClientJwk = {
  kty: 'EC',
  crv: 'P-384',
  kid: 'ours',
  x: 'eA',
  y: 'eQ',
  alg: 'ES384',
  use: 'sig',
  key_ops: ['verify'],
};
const rsa: ClientJwk = { kty: 'RSA', kid: 'other', n: `${'n'.repeat(341)}Q`, e: 'AQAB' };
const more = { displayName: 'Sunrise', attestationCertsUri: 'https://sunrise-health.org/certs' };
const configurations = [
  configuration(more),
  configuration({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key, rsa] } }),
  service({ tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://sunrise-health.org/jwks' }),
];
const edits = configurations.map((each) => ({ ...version, configuration: each }));

const against = { ...version, criterion: 'security-risk', field: 'tosUri', reason: 'It leads\nnowhere.' };
const note = { ...version, note: 'Well done.' };
const stop = { requestId: 'stop-of-a-test', createdAt: '2026-01-01T00:00:00.000Z' };
const rotation = { requestId: 'rotation-of-a-test', overlapSeconds: 3_600 };
const draft = { applicationName: 'Begun', pkce: true, products: ['patient-access'] };

export const requestSamples: Readonly<Partial<Record<PortalRouteName, readonly object[]>>> = {
  signUp: [
    {
      developerType: 'individual',
      ...names,
      company: 'Own',
      mobilePhone: '202-555-0123',
      email: 'd@example.org',
      ...common,
    },
    {
      ...{ developerType: 'classic', ...names, role: 'developer', companyName: 'Own' },
      ...{ contactPhone: '202-555-0123', email: 'd@example.org', ...common },
    },
    { developerType: 'payer', ...organization },
    {
      ...{ developerType: 'payer', ...organization },
      organizationIdentifiers: {
        ...{ npi: '1234567893', naicCompanyCode: '12345', taxIdentificationNumber: '12-3456789' },
        oid: '2.16.840.1.113883.3.1',
      },
    },
    { developerType: 'brokerage', employerIdentificationNumber: '12-3456789', ...organization },
  ],
  verifyEmail: [code],
  verifyPhone: [code],
  acceptTerms: [{ version: termsOfUse.version, scrolledToEnd: true, accepted: true }],
  updateAccount: [names],
  changeEmail: [{ email: 'eve@example.org', password: 'of the account' }],
  confirmEmail: [code],
  changePhone: [{ phone: '202-555-0123', password: 'of the account' }],
  confirmPhone: [code],
  changePassword: [{ presentPassword: 'of the account', ...secret }],
  closeAccount: [{ password: 'of the account' }],
  beginAuthenticator: [{ password: 'of the account' }],
  confirmAuthenticator: [{ enrollment: `1790000000.${'x'.repeat(22)}`, ...code }],
  signIn: [{ identifier: 'dana.okafor', password: 'of the account', botCheck: 'answer' }],
  signInCode: [code],
  passwordAgain: [{ password: 'of the account' }],
  requestPasswordReset: [{ email: 'd@example.org', botCheck: 'answer' }],
  resetPassword: [{ email: 'd@example.org', ...code, ...secret }],
  invite: [{ email: 'eve@example.org' }],
  acceptInvitation: [{ invitation: 'x'.repeat(43) }],
  showInvitation: [{ invitation: 'x'.repeat(43) }],
  changeTeamRole: [{ role: 'owner' }, { role: 'member' }],
  registerApplication: configurations.map((each) => ({ configuration: each, draftId: 'draft-01' })),
  updateSandbox: edits,
  promote: [version, ...edits],
  updateProduction: edits,
  submit: [version],
  recall: [version],
  appeal: [{ ...version, words: 'Please look again.\nThe page is there.' }],
  withdraw: [version],
  proposeChange: edits,
  submitChange: [version],
  attest: [{ ...version, textVersion: attestation.version, scrolledToEnd: true, accepted: true }],
  credentials: [{}, { password: 'of the account' }],
  rotateSecret: [rotation],
  rotateKey: [rotation],
  stopSecret: [stop],
  stopKey: [stop],
  saveDraft: [{ screen: 'uris', values: draft }],
  decideApplication: [
    { act: 'approve', ...note },
    { act: 'request_changes', ...against },
    { act: 'reject', ...against },
    { act: 'approve_change', ...note },
    { act: 'request_change_changes', ...against },
    { act: 'reject_change', ...against },
    { act: 'suspend', ...version, reason: 'Tokens were sold.' },
    { act: 'resume', ...note },
    { act: 'revoke', ...version, reason: 'Tokens were sold.' },
  ],
  verifyOrganization: [
    {},
    { npi: '1234567893', naicCompanyCode: '12345', taxIdentificationNumber: '123456789' },
  ],
  decideAccount: [
    { act: 'verify_organization', ...version },
    { act: 'refuse_organization', ...version, reason: 'Nobody answers.' },
    { act: 'suspend', ...version, reason: 'Tokens were sold.', applications: 'unattended' },
    { act: 'suspend', ...version, reason: 'Tokens were sold.', applications: ['app-1'] },
    { act: 'resume', ...version },
  ],
};
