import { fhirDocument } from '../gateway/fhir-documents.ts';
import { dispatchFhir } from '../gateway/fhir-route.ts';
import { fhirDialect } from '../gateway/operation-outcome.ts';
import { createPipeline } from '../gateway/pipeline.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { capabilityStatement } from './capability-statement.ts';
import { negotiate } from './media-type.ts';

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
