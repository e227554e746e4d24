import { fhirDocument } from '../gateway/fhir-documents.ts';
import { dispatchFhir } from '../gateway/fhir-route.ts';
import { fhirDialect } from '../gateway/operation-outcome.ts';
import { createPipeline } from '../gateway/pipeline.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { consoleLog } from '../runtime/log.ts';
import { capabilityStatement } from './capability-statement.ts';
import { negotiate } from './media-type.ts';

const { lineOfBusiness, authOrigin, tokenOrigin, apiOriginTemplate } = readEnvironment([
  'lineOfBusiness',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
]);
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };

export const handler = createPipeline({
  dialect: fhirDialect,
  log: consoleLog,
  handler: dispatchFhir('provider-directory', {
    capabilities: fhirDocument(
      () => capabilityStatement(origins, lineOfBusiness, 'provider-directory'),
      negotiate,
    ),
  }),
});
