/** Generated parts of the public documentation: lists of errors. */

import { callRefusals } from '../../../../lambdas/catalog/call-refusals.ts';
import { fhirFixes } from '../../../../lambdas/catalog/fhir/fhir-fixes.ts';
import {
  type FhirRefusal,
  fhirFailures,
  fhirRefusals,
} from '../../../../lambdas/catalog/fhir/fhir-refusals.ts';
import { describeGatewayError } from '../../../../lambdas/catalog/gateway/gateway-errors.ts';
import {
  gatewayFixes,
  gatewayResponseTypes,
  unlistedGatewayResponses,
} from '../../../../lambdas/catalog/gateway/gateway-response-types.ts';
import {
  authorizationErrors,
  bearerErrors,
  serverErrors,
  tokenErrors,
  unredirectableReasons,
} from '../../../../lambdas/catalog/oauth/oauth-errors.ts';
import { portalProblems } from '../../../../lambdas/portal/catalog/problems.ts';
import { errorPicture, tokenStatuses } from '../error-picture.ts';
import { anchoredCode, code, markdownTable } from '../markdown-table.ts';
import { type Inserts, pick } from './insert.ts';

type OAuthErrors = Readonly<Record<string, { readonly meaning: string; readonly fix: string }>>;

const authorizationTables: Readonly<Record<string, OAuthErrors>> = {
  authorization: authorizationErrors,
  page: unredirectableReasons,
};

/** Errors that clients never get, because API Gateway refuses the request before it reaches the function. */
const keptBack = ['unknown-path', 'key-invalid'];
function oauthErrors(argument: string): string {
  return markdownTable(
    ['Code', 'Meaning', 'What to do'],
    Object.entries(pick(authorizationTables, argument)).map(([name, { meaning, fix }]) => [
      anchoredCode(`${argument}-${name}`, name),
      meaning,
      fix,
    ]),
  );
}

/** Errors of the token, revocation, introspection and UserInfo endpoints, and of the gateway before them. */
function tokenEndpointErrors(): string {
  const token: OAuthErrors = { ...tokenErrors, ...serverErrors };
  return statusTables('Error', [
    ...Object.entries(token).map(([name, { meaning, fix }]) => [
      (tokenStatuses[name] ?? [400]).join(', '),
      anchoredCode(`token-${name}`, name),
      meaning,
      fix,
    ]),
    ...Object.entries(bearerErrors).map(([name, { status, meaning, fix }]) => [
      status,
      anchoredCode(`bearer-${name}`, name),
      `UserInfo: ${meaning}`,
      fix,
    ]),
    ...gatewayRows('oauth'),
  ]);
}

/**
 * Tables of errors, one for each status, folded. A link to a row, a search of the browser and the script of the documentation unfold them.
 *
 * @param rows status, code, text and fix of each error
 */
function statusTables(kind: string, rows: readonly (readonly (string | number)[])[]): string {
  const statuses = [...new Set(rows.map(([status]) => String(status)))].sort();
  return statuses
    .map((status) => {
      const ofStatus = rows.filter(([one]) => String(one) === status);
      const count = ofStatus.length === 1 ? '1 error' : `${ofStatus.length} errors`;
      const codes = new Set(ofStatus.map(([, one]) => String(one).replace(/<[^>]+>/g, '')));
      return folded(
        `${status}: ${count} <span class="folded__codes">${[...codes].join(', ')}</span>`,
        markdownTable(['Status', kind, 'Text', 'What to do'], ofStatus),
      );
    })
    .join('\n\n');
}

function folded(summary: string, table: string): string {
  return `<details class="folded"><summary>${summary}</summary>\n\n${table}\n\n</details>`;
}

function fhirErrors(): string {
  const shown = [
    ...(Object.keys(fhirRefusals) as FhirRefusal[]).map(
      (name) => [name, fhirRefusals[name], fhirFixes[name]] as const,
    ),
    ['server-defect', fhirFailures.defect, fhirFixes.defect] as const,
    ['server-busy', fhirFailures.unavailable, fhirFixes.unavailable] as const,
  ];
  return statusTables('Issue code', [
    ...shown
      .filter(([name]) => !keptBack.includes(name))
      .map(([name, refusal, fix]) => [
        refusal.status,
        anchoredCode(`fhir-${name}`, refusal.code),
        refusal.diagnostics,
        fix,
      ]),
    ...gatewayRows('fhir'),
  ]);
}

/** The response types without `DEFAULT_4XX` and `DEFAULT_5XX`, which stand for many statuses. */
const named = gatewayResponseTypes.filter((type) => !type.startsWith('DEFAULT_'));

/** Rows of the errors with which the gateway of a kind of host answers by itself. */
function gatewayRows(argument: 'fhir' | 'oauth'): readonly (readonly (string | number)[])[] {
  const shown = named.filter((type) => !pick(unlistedGatewayResponses, argument).includes(type));
  const rows = shown.map((type) => {
    const error = describeGatewayError(type, argument);
    return [error.status, error.code, error.description, gatewayFixes[type], type] as const;
  });
  // Responses whose status, code and texts are the same become one row.
  const different = rows.filter(
    (row, index) => rows.findIndex((other) => `${other.slice(0, 4)}` === `${row.slice(0, 4)}`) === index,
  );
  return different.map(([status = 0, word, says, fix, type]) => [
    status,
    anchoredCode(`gateway-${argument}-${type}`, word),
    says,
    fix,
  ]);
}

function portalErrors(): string {
  return statusTables(
    'Code',
    Object.entries(portalProblems).map(([name, { status, title, fix }]) => [
      status,
      anchoredCode(name, name),
      title,
      fix,
    ]),
  );
}

/** Reasons in the log of calls. */
function callReasons(): string {
  const rows = Object.entries(callRefusals).map(([name, { expected, received, fix }]) => [
    anchoredCode(`reason-${name}`, name),
    expected,
    received,
    fix,
  ]);
  const table = markdownTable(['Reason', 'Expected', 'Received', 'What to do'], rows);
  return folded(`All ${rows.length} reasons`, table);
}

export const errorInserts: Inserts = {
  'call-reasons': callReasons,
  'oauth-errors': (_, argument) => oauthErrors(argument),
  'fhir-errors': fhirErrors,
  'fhir-diagnostics': (_, argument) => pick(fhirRefusals, argument).diagnostics,
  'token-errors': tokenEndpointErrors,
  'error-picture': errorPicture,
  'portal-errors': portalErrors,
  'fhir-error-example': () => {
    const { code: issue, diagnostics } = fhirRefusals['invalid-token'];
    const outcome = {
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: issue, diagnostics }],
    };
    return `\`\`\`json\n${JSON.stringify(outcome, null, 2)}\n\`\`\``;
  },
  'portal-error-example': ({ portal }) => {
    const { title, status, fix } = portalProblems.code_expired;
    const problem = {
      type: `${portal}/docs/errors#code_expired`,
      title,
      status,
      detail: fix,
      code: 'code_expired',
      requestId: '7b1f2f6e-0f0c-4a52-9a55-3d3f8f0c1b21',
    };
    return `\`\`\`json\n${JSON.stringify(problem, null, 2)}\n\`\`\``;
  },
  'error-codes': () => Object.keys(tokenErrors).map(code).join(', '),
};
