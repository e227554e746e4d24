/** The Bundle of a LOB's brand and its Patient Access endpoint (SMART App Launch 2.2, "User-access Brands"), by which apps show the plan in a list. */

import type { Bundle, Endpoint, Organization } from 'fhir/r4.js';
import { authorizationServerEndpoints, type EnvironmentOrigins, fhirBase } from './addresses.ts';
import { type LineOfBusiness, linesOfBusiness } from './lines-of-business.ts';
import type { PlanBrand } from './plan-brand.ts';

const definitions = 'http://hl7.org/fhir/smart-app-launch/StructureDefinition';
const fhirDefinitions = 'http://hl7.org/fhir/StructureDefinition';
const terminology = 'http://terminology.hl7.org/CodeSystem';

/** Time of the last change to the content (Bundle.timestamp): update it with every such change. */
const changedAt = '2026-11-28T00:00:00Z';

/** The address at which a LOB publishes its Bundle, which `user_access_brand_bundle` of its SMART configuration names. */
export function userAccessBrandsAddress(origins: EnvironmentOrigins, lob: LineOfBusiness): string {
  return `${fhirBase(origins, lob, 'patient-access')}/.well-known/user-access-brands`;
}

/**
 * @param brand the configured brand; without one, the name is that of the line of business.
 */
export function userAccessBrands(
  origins: EnvironmentOrigins,
  lob: LineOfBusiness,
  brand: PlanBrand | undefined,
): Bundle<Organization | Endpoint> {
  const base = fhirBase(origins, lob, 'patient-access');
  const { name: plan } = linesOfBusiness[lob];
  const name = brand === undefined ? plan : `${brand.name}, ${plan}`;
  const portal = authorizationServerEndpoints(origins, lob).management;
  const [organization, endpoint] = [`${base}/Organization/brand`, `${base}/Endpoint/patient-access`];
  return {
    resourceType: 'Bundle',
    meta: { profile: [`${definitions}/user-access-brands-bundle`] },
    type: 'collection',
    timestamp: changedAt,
    entry: [
      {
        fullUrl: organization,
        resource: {
          resourceType: 'Organization',
          id: 'brand',
          meta: { profile: [`${definitions}/user-access-brand`] },
          extension: [
            {
              url: `${fhirDefinitions}/organization-portal`,
              extension: [
                { url: 'portalName', valueString: name },
                { url: 'portalURL', valueUrl: portal },
                { url: 'portalEndpoint', valueReference: { reference: endpoint } },
              ],
            },
          ],
          identifier: [{ system: 'urn:ietf:rfc:3986', value: base }],
          active: true,
          type: [{ coding: [{ system: `${terminology}/organization-type`, code: 'ins' }] }],
          name,
          telecom: [{ system: 'url', value: portal }],
          endpoint: [{ reference: endpoint }],
        },
      },
      {
        fullUrl: endpoint,
        resource: {
          resourceType: 'Endpoint',
          id: 'patient-access',
          meta: { profile: [`${definitions}/user-access-endpoint`] },
          extension: [{ url: `${fhirDefinitions}/endpoint-fhir-version`, valueCode: '4.0.1' }],
          status: 'active',
          connectionType: { system: `${terminology}/endpoint-connection-type`, code: 'hl7-fhir-rest' },
          name,
          contact: [{ system: 'url', value: portal }],
          payloadType: [{ coding: [{ system: `${terminology}/endpoint-payload-type`, code: 'none' }] }],
          address: base,
        },
      },
    ],
  };
}
