/** Names of audited actions, and their outcomes. */

import { type DataOperation, dataOperations, fhirRoutes } from '../fhir/fhir-routes.ts';
import { type Interface, interfaceNames, servesMembers } from '../fhir/interfaces.ts';

/** Outcome of a decision. `disclosed`: data left the service. */
export const auditOutcomes = ['disclosed', 'permitted', 'succeeded', 'refused'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

interface AuditedAction {
  /** The decision, as a text for docs/audit.md. */
  readonly decision: string;
  /** Functions that decide, whose roles may write the event. */
  readonly by: readonly string[];
  readonly outcomes: readonly AuditOutcome[];
  /** Subject of the event, which determines its partition: `AUDIT#<issuer>#PATIENT#…`, `…#CLIENT#…` or `…#SERVICE#…`. */
  readonly about: string;
}

/** Audited actions for FHIR interactions and operations on members' data, with the functions that carry them out. */
function dataActs(): Readonly<Record<DataOperation, AuditedAction>> {
  const acts = dataOperations.map((operation) => [
    operation,
    {
      decision: `an application ${words(operation)}`,
      by: [
        ...interfaceNames.filter((name) => servesMembers(name) && hasOperation(name, operation)),
        ...(operation === 'Group.bulk-member-match' ? ['payer-jobs'] : []),
      ],
      outcomes: ['disclosed', 'refused'],
      about: aboutOf(operation),
    } satisfies AuditedAction,
  ]);
  return Object.fromEntries(acts);
}

function aboutOf(operation: DataOperation): string {
  if (operation.startsWith('Group.') && operation.endsWith('export')) return 'client';
  return operation.endsWith('member-match') ? 'patient; the client if no member is matched' : 'patient';
}

function hasOperation(name: Interface, operation: DataOperation): boolean {
  return fhirRoutes.some((route) => route.interface === name && route.operation === operation);
}

function words(operation: DataOperation): string {
  if (operation === 'Patient.everything') return 'requests all data of a member';
  if (operation === 'Patient.member-match') return 'of another payer asks for a member';
  if (operation === 'Group.bulk-member-match')
    return 'of another payer asks for many members, one event each';
  if (operation === 'Group.davinci-data-export' || operation === 'Group.export') {
    return 'of another payer requests an export of its group';
  }
  if (operation === 'DocumentReference.docref') return 'requests the documents of a member';
  const [type, interaction] = operation.split('.');
  return interaction === 'read' ? `reads a resource: ${type}` : `searches: ${type}`;
}

/** All actions of audit events. docs/audit.md is made from this table; it also lists what is not recorded, and why. */
export const auditedActions = {
  'authorization.request': {
    decision: 'an authorization request of a registered application is refused',
    by: ['authorize'],
    outcomes: ['refused'],
    about: 'client',
  },
  'member.sign-in': {
    decision:
      'a member signs in for an application’s authorization request, or is sent to the plan’s identity provider for it',
    by: ['authorize', 'federation'],
    outcomes: ['permitted', 'succeeded', 'refused'],
    about: 'patient; the client before a member has signed in, and where an account may act for several',
  },
  'patient.choose': {
    decision: 'an account that may act for several patients chooses one',
    by: ['authorize'],
    outcomes: ['succeeded', 'refused'],
    about: 'patient; the client where the choice is refused',
  },
  'account.activate': {
    decision: 'a member activates an account or sets a new password, step by step',
    by: ['authorize', 'activation'],
    outcomes: ['succeeded', 'refused'],
    about: 'patient; the client before a member has matched',
  },
  'sign-in.continue': {
    decision: 'an SSO session replaces the password',
    by: ['authorize'],
    outcomes: ['succeeded'],
    about: 'patient',
  },
  'sign-in.end': {
    decision: 'an SSO session ends before it expires',
    by: ['authorize', 'connected-apps'],
    outcomes: ['succeeded'],
    about: 'patient',
  },
  'grant.create': {
    decision: 'a member consents or declines',
    by: ['authorize'],
    outcomes: ['succeeded', 'refused'],
    about: 'patient',
  },
  'grant.renew': {
    decision: 'an application gets a code without a page, for a grant of the same SSO session',
    by: ['authorize'],
    outcomes: ['succeeded'],
    about: 'patient',
  },
  'grant.revoke': {
    decision: 'a member ends an application’s grant, or shares less with it',
    by: ['authorize', 'connected-apps'],
    outcomes: ['succeeded'],
    about: 'patient',
  },
  'grant.end': {
    decision:
      'an operator ends an application’s grant for the member, or a load a grant that has lost its ground',
    by: ['operator-grants', 'load-range'],
    outcomes: ['succeeded'],
    about: 'patient',
  },
  'payer-exchange.permit': {
    decision: 'a member lets this plan ask another payer for the member’s data, or changes that',
    by: ['connected-apps', 'load-range'],
    outcomes: ['succeeded'],
    about: 'patient',
  },
  'payer-exchange.end': {
    decision:
      'the permission to ask another payer ends: by the member, the enrollment system, or its own date',
    by: ['connected-apps', 'load-range', 'exchange-operations'],
    outcomes: ['succeeded'],
    about: 'patient',
  },
  'token.issue': {
    decision:
      'a code or a client’s credentials are exchanged for a token, or the sandbox’s demonstration gets one',
    by: ['token', 'machine-token'],
    outcomes: ['succeeded', 'refused'],
    about: 'patient; the client if the code is unknown',
  },
  'token.refresh': {
    decision: 'a refresh token is exchanged',
    by: ['token'],
    outcomes: ['succeeded', 'refused'],
    about: 'patient; the client if the token is unknown',
  },
  'token.revoke': {
    decision: 'an application revokes a token, and its grant ends',
    by: ['token'],
    outcomes: ['succeeded', 'refused'],
    about: 'patient; the client if it can’t authenticate',
  },
  'token.introspect': {
    decision: 'an application introspects a token',
    by: ['token'],
    outcomes: ['permitted', 'refused'],
    about: 'client',
  },
  'userinfo.read': {
    decision: 'an application requests UserInfo',
    by: ['userinfo'],
    outcomes: ['disclosed', 'refused'],
    about: 'patient',
  },
  ...dataActs(),
  'Group.read': {
    decision: 'an application of another payer reads a group of the members it matched',
    by: ['payer-access'],
    outcomes: ['disclosed', 'refused'],
    about: 'client',
  },
  'job.file': {
    decision: 'an application of another payer downloads a file of a job',
    by: ['payer-access'],
    outcomes: ['disclosed', 'refused'],
    about: 'patient, one event for each whose data the file has; the client if it has none',
  },
  'job.status': {
    decision: 'an application of another payer polls a job that is not its own',
    by: ['payer-access'],
    outcomes: ['refused'],
    about: 'client',
  },
  'job.cancel': {
    decision:
      'an operator cancels a job of another payer’s application, or removes its files; an application cancels a job that is not its own',
    by: ['job-operations', 'payer-access'],
    outcomes: ['succeeded', 'refused'],
    about: 'client',
  },
  'payer-exchange.ask': {
    decision: 'another payer is asked about a member, and gets the member’s identity and consent',
    by: ['exchange-steps'],
    outcomes: ['disclosed'],
    about: 'patient',
  },
  'payer-exchange.receive': {
    decision: 'another payer’s data about a member is received',
    by: ['exchange-steps'],
    outcomes: ['succeeded'],
    about: 'patient',
  },
  'member.load': {
    decision: 'a member’s resources are loaded',
    by: ['ingest', 'load-range'],
    outcomes: ['succeeded'],
    about: 'patient',
  },
  'client.register': clientAct('an application is registered'),
  'client.update': clientAct('a registration is changed'),
  'client.suspend': clientAct('an application is suspended'),
  'client.resume': clientAct('a suspended application is resumed'),
  'client.revoke': clientAct('an application is revoked'),
  'client.verify-organization': clientAct('an operator verifies the organization of an application'),
  'client.rotate-secret': clientAct('an application gets a new secret'),
  'client.rotate-key': clientAct('an application gets a new subscription key'),
  'client.stop-secret': clientAct('an older secret of an application is stopped; it ends at once'),
  'client.stop-key': clientAct(
    'an older subscription key of an application is stopped; it ends within 30 seconds',
  ),
  'client.view-credentials': {
    decision: 'an application’s secrets and keys are shown to its developer',
    by: ['provisioning'],
    outcomes: ['disclosed'],
    about: 'client',
  },
  'audit.question': {
    decision:
      'an operator asks for the record of a member or of an application, for the purpose in `reason`; an event for each page',
    by: ['audit-patient-record', 'audit-application-record'],
    outcomes: ['permitted'],
    about: 'patient, or client',
  },
  'other-payer.change': {
    decision: 'an operator changes the table of other payers, whom this plan asks for members’ data',
    by: ['exchange-operations'],
    outcomes: ['succeeded'],
    about: 'service `other-payers`',
  },
  'signing-key.rotate': {
    decision: 'a signing key of a token issuer is rotated',
    by: ['key-rotation'],
    outcomes: ['succeeded'],
    about: 'service `signing-keys`',
  },
  'signing-key.remove': {
    decision: 'an operator removes a signing key',
    by: ['key-rotation'],
    outcomes: ['succeeded'],
    about: 'service `signing-keys`',
  },
} as const satisfies Readonly<Record<string, AuditedAction>>;

export type AuditAction = keyof typeof auditedActions;

function clientAct(decision: string) {
  return { decision, by: ['provisioning'], outcomes: ['succeeded'], about: 'client' } as const;
}
