import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { createCallLine } from '../../../lambdas/platform/http/call-line.ts';
import { accessLogFormat } from '../../../lib/constructs/access-log-format.ts';

const event = {
  httpMethod: 'POST',
  resource: '/fhir-oauth2/pub/{lob}/token',
  path: '/fhir-oauth2/pub/dsnp/token',
  headers: { authorization: 'Basic c2VjcmV0' },
  body: 'client_secret=a-secret',
  requestContext: {
    requestId: 'request-1',
    domainName: 'auth.example.org',
    requestTimeEpoch: 1_000,
    identity: { sourceIp: '192.0.2.1' },
  },
} as unknown as APIGatewayProxyEvent;

function lineOf(write: (line: ReturnType<typeof createCallLine>) => void): string {
  const lines: string[] = [];
  write(
    createCallLine(
      event,
      (line) => lines.push(line),
      () => 1_042,
    ),
  );
  return lines.join('\n');
}

describe('the log line of a token call', () => {
  it('names what the access log names, in the same words and as text', () => {
    const line = lineOf((call) => {
      call.noteCaller({ clientId: 'client-1' });
      call.write({ code: 'token_refused', status: 400, lob: 'DSNP', reason: 'code_expired' });
    });
    expect(JSON.parse(line)).toEqual({
      time: '1000',
      level: 'warn',
      code: 'token_refused',
      requestId: 'request-1',
      host: 'auth.example.org',
      method: 'POST',
      route: '/fhir-oauth2/pub/{lob}/token',
      status: '400',
      lob: 'DSNP',
      clientId: 'client-1',
      reason: 'code_expired',
      latencyMs: '42',
    });
    const format = Object.keys(JSON.parse(accessLogFormat.toString()));
    const shared = [
      'time',
      'requestId',
      'host',
      'method',
      'route',
      'status',
      'clientId',
      'reason',
      'latencyMs',
    ];
    expect(format).toEqual(expect.arrayContaining(shared));
  });

  it('is a warning where the refusal is a redirect, with the request that was expected and its own route', () => {
    const line = lineOf((call) => {
      call.write({
        code: 'authorize_refused',
        status: 303,
        reason: 'invalid_scope',
        expected: 'a scope',
        received: 'scope=x',
        route: '/fhir-oauth2/sec/{lob}/authorize',
      });
    });
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      status: '303',
      route: '/fhir-oauth2/sec/{lob}/authorize',
      expected: 'a scope',
      received: 'scope=x',
    });
  });

  it('has the secret’s ID and the last caller noted, and nothing of the request’s headers and body', () => {
    const line = lineOf((call) => {
      call.noteCaller({ clientId: 'client-1' });
      call.noteCaller({ clientId: 'client-1', secretId: 'secret-1' });
      call.write({ code: 'token_answered', status: 200 });
    });
    expect(JSON.parse(line)).toMatchObject({ level: 'info', clientId: 'client-1', secretId: 'secret-1' });
    for (const secret of ['c2VjcmV0', 'a-secret', '192.0.2.1']) expect(line).not.toContain(secret);
  });
});
