/** Handler of `provider-directory`: the Provider Directory API; only its capability statement is served. */

import { capabilityStatement } from '../fhir/capability-statement.ts';
import { negotiate } from '../fhir/media-type.ts';
import { dispatchFhir } from '../http/fhir-dispatch.ts';
import { fhirDocument } from '../http/fhir-documents.ts';
import { fhirDialect } from '../http/operation-outcome.ts';
import { createPipeline } from '../http/pipeline.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';

const { lineOfBusiness, subscriptionKey, authOrigin, tokenOrigin, apiOriginTemplate } = readEnvironment([
  'lineOfBusiness',
  'subscriptionKey',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
]);
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const host = { origins, lob: lineOfBusiness, subscriptionKey };

export const handler = createPipeline({
  dialect: fhirDialect,
  log: consoleLog,
  handler: dispatchFhir('provider-directory', {
    capabilities: fhirDocument(() => capabilityStatement(host, 'provider-directory'), negotiate),
  }),
});
