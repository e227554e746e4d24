/** Selects the incidents of the status page that touch an application. */

import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import type { StatusView } from '../../../lambdas/portal/api/status-view.ts';

type Incident = StatusView['incidents'][number];

/** The configuration of an application in each environment. */
export interface InterfacesUsed {
  readonly sandbox: {
    readonly configuration: Pick<ApplicationConfiguration, 'products' | 'linesOfBusiness'>;
  };
  readonly production?: {
    readonly configuration: Pick<ApplicationConfiguration, 'products' | 'linesOfBusiness'>;
  };
}

/** Open and scheduled incidents that touch an interface, or the sign-in, of a line of business that the application calls. */
export function incidentsTouching(
  incidents: readonly Incident[],
  { sandbox, production }: InterfacesUsed,
): readonly Incident[] {
  const parts = new Set(
    Object.entries({ sandbox, production }).flatMap(([environment, used]) =>
      (used?.configuration.linesOfBusiness ?? []).flatMap((lob) =>
        ['sign-in', ...(used?.configuration.products ?? [])].map(
          (component) => `${environment}/${lob}/${component}`,
        ),
      ),
    ),
  );
  return incidents.filter(
    ({ state, parts: touched }) => state !== 'over' && touched.some((part) => parts.has(part)),
  );
}

/** `production`, or `sandbox and production`: the environments of the parts that an incident touches. */
export function environmentsTouched({ parts }: Pick<Incident, 'parts'>): string {
  const named = ['sandbox', 'production'].filter((each) => parts.some((part) => part.startsWith(`${each}/`)));
  return named.join(' and ');
}
