/** Documents by which other payers find this plan: `/.well-known/davinci-configuration` and `/.well-known/payer-index`. */

import { type EnvironmentOrigins, fhirBase } from '../addresses.ts';
import { type LineOfBusiness, linesOfBusiness } from '../lines-of-business.ts';
import type { OrganizationIdentifier } from './organization-identifiers.ts';

/** Identifiers of the plan by line of business. The first of each is the one by which it is published. */
export type PlanIdentifiers = Readonly<Partial<Record<LineOfBusiness, readonly OrganizationIdentifier[]>>>;

/** Versions of PDex that our endpoints for payers and providers speak, as keys of the map of endpoints name them. */
export const servedPdexVersions = ['2.1', '2.2'] as const;

/** The endpoints of a LOB by HRex's keys: each bare, and with every version that is served. */
function endpoints(origins: EnvironmentOrigins, lob: LineOfBusiness): Readonly<Record<string, string>> {
  const [payer, patient] = [fhirBase(origins, lob, 'payer-access'), fhirBase(origins, lob, 'patient-access')];
  const served = Object.entries({
    davinci_pdex_payer_endpoint: payer,
    davinci_pdex_patient_endpoint: patient,
  });
  return Object.fromEntries([
    ...served.flatMap(([key, base]) => [
      [key, base] as const,
      ...servedPdexVersions.map((version) => [`${key}#${version}`, base] as const),
    ]),
    ['carin_bluebutton_endpoint', patient],
  ]);
}

/** The document of HRex 1.2 ("Endpoint Discovery"). */
export function davinciConfiguration(
  origins: EnvironmentOrigins,
  lob: LineOfBusiness,
  identifier: OrganizationIdentifier,
) {
  return {
    resourceType: 'http://hl7.org/fhir/us/davinci-hrex/StructureDefinition/HRexWellknownDefinition',
    identifier,
    endpoints: endpoints(origins, lob),
  };
}

const directory = 'https://directory.cms.gov/payer_identification_system';

/**
 * The payer index (prototype, draft 1), which names a payer by its NAIC company code and the identifier derived from the code.
 *
 * @param payer `name`: the plan's legal name; `fpi`: UUID (version 5) of the code in the draft's namespace; `portal`: origin of the developer
 * portal.
 */
export function payerIndex(
  origins: EnvironmentOrigins,
  lob: LineOfBusiness,
  payer: { readonly name: string; readonly naic: string; readonly fpi: string; readonly portal: string },
) {
  const plan = linesOfBusiness[lob].name;
  return {
    copied_from_url: null,
    resourceType: 'http://hl7.org/fhir/us/fast-ndh/StructureDefinition/NDHPayerWellknownDefinition',
    identifier: [
      {
        system: `${directory}/fpi`,
        value: payer.fpi,
        is_fpi: true,
        payerLegalName: payer.name,
        payerContactWebsite: payer.portal,
        payer_level_string_search_matches: [payer.name],
        fpi_source_system: `${directory}/naic_id`,
        fpi_source_value: payer.naic,
      },
      { system: `${directory}/naic_id`, value: payer.naic, is_fpi: false, parent_fpi: payer.fpi },
    ],
    plan_groups: [
      {
        plan_group_string_search_match: [plan],
        plan_endpoints: {
          ...endpoints(origins, lob),
          ndh_meta_fhir_signup_url: payer.portal,
          ndh_meta_documentation_url: `${payer.portal}/docs/payer-access`,
        },
      },
    ],
  };
}
