/** Finds the row of the documentation that explains a refusal. Its tables are loaded for a refusal only. */

import { fhirFailures, fhirRefusals } from '../../../lambdas/catalog/fhir/fhir-refusals.ts';
import { describeGatewayError } from '../../../lambdas/catalog/gateway/gateway-errors.ts';
import {
  type GatewayResponseType,
  gatewayResponseTypes,
  unlistedGatewayResponses,
} from '../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { bearerErrors, serverErrors, tokenErrors } from '../../../lambdas/catalog/oauth/oauth-errors.ts';
import { type Exchange, jsonOf } from './exchange.ts';

const errorsPage = '/docs/errors';
/** Part of the page with the errors of the token hosts and of UserInfo. */
const tokenPart = 'tokens-and-userinfo';

/** Names of rows on the page of errors that differ from those of the tables. */
const rowNames: Readonly<Record<string, string>> = { defect: 'server-defect', unavailable: 'server-busy' };

/** Refusals of the functions that API Gateway makes before them. Their rows are those of the gateway. */
const gatewayOwn: readonly string[] = ['unknown-path', 'key-invalid'];

/** The address of the row that explains a refusal, or of the part of the page; undefined for a success. */
export function errorPage(exchange: Exchange): string | undefined {
  const { call, answer } = exchange;
  if (answer === undefined || answer.status < 400) return undefined;
  const { resourceType, error, issue } = jsonOf(exchange);
  if (resourceType === 'OperationOutcome') {
    const [first] = Array.isArray(issue) ? (issue as readonly { readonly diagnostics?: string }[]) : [];
    return `${errorsPage}#${fhirRow(first?.diagnostics ?? '', answer.status)}`;
  }
  return typeof error === 'string' ? `${errorsPage}#${oauthRow(error, call.url)}` : errorsPage;
}

function fhirRow(diagnostics: string, status: number): string {
  const own = Object.entries({ ...fhirRefusals, ...fhirFailures }).filter(
    ([name]) => !gatewayOwn.includes(name),
  );
  const byText = own.find(([, refusal]) => refusal.diagnostics === diagnostics);
  if (byText !== undefined) return `fhir-${rowNames[byText[0]] ?? byText[0]}`;
  const gateway = gatewayResponseTypes.find((type) => isDescribed(type, diagnostics));
  if (gateway !== undefined) return `gateway-fhir-${gateway}`;
  const byStatus = own.find(([, refusal]) => refusal.status === status);
  return byStatus === undefined ? 'fhir-apis' : `fhir-${rowNames[byStatus[0]] ?? byStatus[0]}`;
}

function isDescribed(type: GatewayResponseType, diagnostics: string): boolean {
  if (type.startsWith('DEFAULT_') || unlistedGatewayResponses.fhir?.includes(type) === true) return false;
  return describeGatewayError(type, 'fhir').description === diagnostics;
}

function oauthRow(error: string, url: string): string {
  if (url.endsWith('/userinfo')) return error in bearerErrors ? `bearer-${error}` : tokenPart;
  return error in tokenErrors || error in serverErrors ? `token-${error}` : tokenPart;
}
