import type { PublishedService } from '../../../lambdas/catalog/published-service.ts';
import type { documentationDownloads } from '../../../lambdas/portal/catalog/documentation-pages.ts';
import { memberOpenApi } from './openapi.ts';
import { payerProfile } from './payer-profile.ts';
import { portalOpenApi } from './portal-openapi.ts';
import { postmanCollection } from './postman.ts';

/** The downloadable documents, by file name. */
export function downloads(
  service: PublishedService,
): Readonly<Record<(typeof documentationDownloads)[number], string>> {
  const member = memberOpenApi(service);
  const file = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`;
  return {
    'openapi.json': file(member),
    'portal-openapi.json': file(portalOpenApi(service)),
    'postman-collection.json': file(postmanCollection(service, member)),
    'payer-access.json': file(payerProfile(service)),
  };
}
