/** Handler of `discovery`: publishes the metadata and the JWKS of every token issuer. */

import {
  corsPreflight,
  json,
  notFound,
  oauthDialect,
  oauthMethodNotAllowed,
} from '../platform/http/oauth-error.ts';
import { createPipeline } from '../platform/http/pipeline.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { findDiscoveryDocument } from './oauth/discovery.ts';
import { createJwksStore } from './store/jwks-store.ts';
import { createKnownJwks } from './token/known-jwks.ts';

const { tableName, authOrigin, tokenOrigin, apiOriginTemplate, resourceId } = readEnvironment([
  'tableName',
  'authOrigin',
  'tokenOrigin',
  'apiOriginTemplate',
  'resourceId',
]);
const origins = { auth: authOrigin, token: tokenOrigin, apiTemplate: apiOriginTemplate };
const jwks = createJwksStore(createSignedTable({ tableName }));
const knownJwks = createKnownJwks({ readJwks: jwks.read, now: systemClock });

/**
 * Metadata changes only with a deployment, and keys are published one rotation before they sign, so caches may keep both for five minutes.
 * API Gateway compresses both.
 */
const remembered = { 'Cache-Control': 'public, max-age=300', Vary: 'Accept-Encoding' };
/** Cache headers of keys from this function's memory, if the table could not be read. */
const rememberedShortly = { ...remembered, 'Cache-Control': 'public, max-age=30' };

/**
 * Serves metadata and public keys of the token issuers, on the authorization and the token host. Called by anybody, without key or token.
 * Reads published public keys only.
 */
export const handler = createPipeline({
  dialect: oauthDialect,
  log: consoleLog,
  handler: async (event) => {
    const found = findDiscoveryDocument(event.path, origins, resourceId);
    if (found === undefined) return notFound();
    if (event.httpMethod === 'OPTIONS') return corsPreflight('GET');
    // API Gateway leaves out the body of a response to HEAD.
    if (!['GET', 'HEAD'].includes(event.httpMethod)) return oauthMethodNotAllowed('GET, HEAD');
    if (found.kind === 'metadata') return json(200, found.metadata, remembered);
    const published = await knownJwks(found.issuer);
    // 503, which no cache stores, until the issuer's first key exists.
    if (published === undefined) return oauthDialect.unavailable('');
    return json(200, published.jwks, published.isCurrent ? remembered : rememberedShortly);
  },
});
