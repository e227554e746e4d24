/** Handler of `payer-access`: metadata and SMART configuration of the Payer Access API. */

import { payerSmartConfiguration } from '../catalog/smart-configuration.ts';
import { capabilityStatement } from '../fhir/capability-statement.ts';
import { negotiate } from '../fhir/media-type.ts';
import { dispatchFhir } from '../http/fhir-dispatch.ts';
import { fhirDocument, jsonDocument } from '../http/fhir-documents.ts';
import { fhirDialect } from '../http/operation-outcome.ts';
import { createPipeline } from '../http/pipeline.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';

const { lineOfBusiness, subscriptionKey, resourceId, authOrigin, tokenOrigin, apiOriginTemplate } =
  readEnvironment([
    'lineOfBusiness',
    'subscriptionKey',
    'resourceId',
    'authOrigin',
    'tokenOrigin',
    'apiOriginTemplate',
  ]);
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const host = { origins, lob: lineOfBusiness, subscriptionKey };

export const handler = createPipeline({
  dialect: fhirDialect,
  log: consoleLog,
  handler: dispatchFhir('payer-access', {
    capabilities: fhirDocument(() => capabilityStatement(host, 'payer-access'), negotiate),
    'smart-configuration': jsonDocument(() => payerSmartConfiguration(origins, resourceId)),
  }),
});
