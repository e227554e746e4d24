/** The components of the service that the status page reports, the severities of incidents, and the paths of the page. */

import { type Environment, environments } from '../../catalog/environments.ts';
import {
  type LineOfBusiness,
  lineOfBusinessCodes,
  linesOfBusiness,
} from '../../catalog/lines-of-business.ts';

/** Path of the status page, which the function `portal-directory` serves. */
export const statusPath = '/status';
/** Path of the Atom feed of incidents, which the same function serves. */
export const statusFeedPath = '/status.xml';
/** Path of the frame that the function puts the status into. */
export const statusFramePath = '/status/frame';
/** Element of the frame that the status takes the place of. */
export const statusMarker = '<div id="status"></div>';

/** The kinds of components: one for the whole service, in each environment, or for each LOB of an environment. */
export const componentKinds = {
  portal: { name: 'Developer portal', each: 'service' },
  registration: { name: 'Registration and credentials', each: 'environment' },
  'sign-in': { name: 'Sign-in and consent', each: 'lob' },
  'patient-access': { name: 'Patient Access', each: 'lob' },
  'payer-access': { name: 'Payer Access', each: 'lob' },
  'provider-directory': { name: 'Provider Directory', each: 'lob' },
} as const;
export type ComponentKind = keyof typeof componentKinds;
export const componentKindNames = Object.keys(componentKinds) as [ComponentKind, ...ComponentKind[]];

/** A component of the service in its environment and LOB, which is measured by itself. */
export interface StatusComponent {
  /** `portal`, `production/registration`, `production/DSNP/patient-access` */
  readonly id: string;
  readonly kind: ComponentKind;
  readonly environment?: Environment;
  readonly lob?: LineOfBusiness;
}

/** Every component: the portal, then each environment, then each of its LOBs. */
export const statusComponents: readonly StatusComponent[] = [
  { id: 'portal', kind: 'portal' },
  ...environments.flatMap((environment): readonly StatusComponent[] => [
    ...kindsOf('environment').map((kind) => ({
      id: `${environment}/${kind}`,
      kind,
      environment,
    })),
    ...lineOfBusinessCodes.flatMap((lob) =>
      kindsOf('lob')
        .filter((kind) => kind !== 'provider-directory' || linesOfBusiness[lob].providerDirectory)
        .map((kind) => ({ id: `${environment}/${lob}/${kind}`, kind, environment, lob })),
    ),
  ]),
];

function kindsOf(place: 'environment' | 'lob'): readonly ComponentKind[] {
  return componentKindNames.filter((name) => componentKinds[name].each === place);
}

/** Effects of an incident on the components it is about. Maintenance is announced with its start and its end. */
export const incidentSeverities = {
  degraded: { name: 'Degraded' },
  outage: { name: 'Outage' },
  maintenance: { name: 'Maintenance' },
} as const;
export type IncidentSeverity = keyof typeof incidentSeverities;
export const incidentSeverityNames = Object.keys(incidentSeverities) as [
  IncidentSeverity,
  ...IncidentSeverity[],
];

/** Minutes between two measurements; the schedule's rate. */
export const measuredEveryMinutes = 5;
/** Days that the page shows. */
export const statusDays = 90;
