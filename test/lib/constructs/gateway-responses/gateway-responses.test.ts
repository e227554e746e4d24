import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, it } from 'vitest';
import { gatewayResponseTypes } from '../../../../lambdas/catalog/gateway/gateway-response-types.ts';
import { oauthDialect, oauthError } from '../../../../lambdas/platform/http/oauth-error.ts';
import { fhirDialect } from '../../../../lambdas/platform/http/operation-outcome.ts';
import { operationOutcomes } from '../../../../lib/constructs/gateway-responses/fhir.ts';
import { oauthErrors } from '../../../../lib/constructs/gateway-responses/oauth.ts';

const tables = [
  ['a FHIR host', operationOutcomes],
  ['an OAuth host', oauthErrors],
] as const;

/** The codes in use of FHIR R4's value set issue-type, to which `issue.code` is bound. */
const issueTypes =
  /^(structure|value|login|forbidden|security|not-found|not-supported|too-long|throttled|timeout|transient|exception|processing)$/;

function bodyOf(table: (typeof tables)[number][1], type: (typeof gatewayResponseTypes)[number]) {
  const templates = Object.values(table[type].templates ?? {});
  expect(templates).toHaveLength(1);
  return { text: templates[0] ?? '', json: JSON.parse(templates[0] ?? '') };
}

describe.each(tables)('%s', (_host, table) => {
  it('words every refusal API Gateway knows', () => {
    const known = Object.values(ResponseType)
      .filter((type) => type instanceof ResponseType)
      .map((type) => type.responseType);
    expect(Object.keys(table).sort()).toEqual(known.sort());
    expect([...gatewayResponseTypes].sort()).toEqual(known.sort());
  });

  it.each(gatewayResponseTypes)('answers %s with constant JSON that no variable can break', (type) => {
    const { text } = bodyOf(table, type);
    expect(text).not.toContain('$');
  });

  it.each(
    gatewayResponseTypes,
  )('writes the headers of %s as API Gateway reads them, and caches nothing', (type) => {
    const headers = table[type].responseHeaders ?? {};
    expect(headers['Cache-Control']).toBe("'no-store'");
    expect(headers['Access-Control-Allow-Origin']).toBe("'*'");
    expect(headers['X-Content-Type-Options']).toBe("'nosniff'");
    expect(headers['Strict-Transport-Security']).toMatch(/^'max-age=\d{8}; includeSubDomains'$/);
    for (const value of Object.values(headers)) expect(value).toMatch(/^('[^']*'|context\.requestId)$/);
  });

  it('challenges who comes without credentials, and says when to come back', () => {
    expect(table.UNAUTHORIZED.statusCode).toBe('401');
    // RFC 6750 section 3 and RFC 7617 section 2: a scheme is followed by a parameter.
    expect(table.UNAUTHORIZED.responseHeaders?.['WWW-Authenticate']).toMatch(
      /^'(Bearer|Basic) realm="[^"]+"/,
    );
    expect(table.UNAUTHORIZED.responseHeaders?.['Access-Control-Expose-Headers']).toContain(
      'WWW-Authenticate',
    );
    for (const type of ['THROTTLED', 'QUOTA_EXCEEDED'] as const) {
      expect(table[type].statusCode).toBe('429');
      expect(table[type].responseHeaders?.['Retry-After']).toMatch(/^'\d+'$/);
    }
    expect(table.MISSING_AUTHENTICATION_TOKEN.statusCode).toBe('404');
    expect(table.INVALID_API_KEY.statusCode).toBe('403');
  });

  it('keeps the status of refusals that have no type of their own', () => {
    expect(table.DEFAULT_4XX.statusCode).toBeUndefined();
    expect(table.DEFAULT_5XX.statusCode).toBeUndefined();
  });
});

it('tells who sends a form to a path for GET that the method may be it', () => {
  const { json } = bodyOf(operationOutcomes, 'MISSING_AUTHENTICATION_TOKEN');
  expect(json.issue).toEqual([
    expect.objectContaining({ code: 'not-found', diagnostics: expect.stringMatching(/path.*method/) }),
  ]);
});

/** An app gets the same answer whether the authorizer, Lambda or the function is busy. */
it.each([
  ['a FHIR host', operationOutcomes, fhirDialect],
  ['an OAuth host', oauthErrors, oauthDialect],
] as const)('an authorizer that could not decide and a throttled function answer as the functions of %s do', (_host, table, dialect) => {
  const { statusCode, headers, body } = dialect.unavailable('request-1');
  for (const type of [
    'AUTHORIZER_FAILURE',
    'AUTHORIZER_CONFIGURATION_ERROR',
    'INTEGRATION_FAILURE',
  ] as const) {
    expect(table[type].statusCode).toBe(`${statusCode}`);
    expect(bodyOf(table, type).json).toEqual(JSON.parse(body));
    expect(table[type].responseHeaders?.['Retry-After']).toBe(`'${headers?.['Retry-After']}'`);
  }
});

describe('a FHIR host', () => {
  it.each(gatewayResponseTypes)('words %s as an OperationOutcome', (type) => {
    const { json } = bodyOf(operationOutcomes, type);
    expect(json).toEqual({
      resourceType: 'OperationOutcome',
      issue: [
        {
          severity: 'error',
          code: expect.stringMatching(issueTypes),
          diagnostics: expect.stringMatching(/\S/),
        },
      ],
    });
    expect(operationOutcomes[type].responseHeaders?.['Content-Type']).toBe("'application/fhir+json'");
  });

  it("takes the policy's denial for a bad token", () => {
    const { statusCode, responseHeaders } = operationOutcomes.ACCESS_DENIED;
    expect(statusCode).toBe('401');
    expect(responseHeaders?.['WWW-Authenticate']).toContain('Bearer error="invalid_token"');
  });
});

describe('an OAuth host', () => {
  it.each(gatewayResponseTypes)('words %s as an OAuth error', (type) => {
    const { json } = bodyOf(oauthErrors, type);
    // RFC 6749 section 5.2 allows no quotation mark and no backslash in `error` and `error_description`.
    const text = expect.stringMatching(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
    expect(json).toEqual({ error: text, error_description: text });
    expect(oauthErrors[type].responseHeaders?.['Content-Type']).toBe("'application/json'");
  });

  it('asks for the authentication its functions ask for', () => {
    const { headers = {} } = oauthError({ error: 'invalid_client', description: 'x' });
    const challenge = `'${headers['WWW-Authenticate']}'`;
    expect(oauthErrors.UNAUTHORIZED.responseHeaders?.['WWW-Authenticate']).toBe(challenge);
  });
});
