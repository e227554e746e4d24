import { describe, expect, it } from 'vitest';
import { fhirRefusals } from '../../lambdas/catalog/fhir/fhir-refusals.ts';
import { describeGatewayError } from '../../lambdas/catalog/gateway/gateway-errors.ts';
import { gatewayResponseTypes } from '../../lambdas/catalog/gateway/gateway-response-types.ts';
import { tokenErrors } from '../../lambdas/catalog/oauth/oauth-errors.ts';
import { documentationPage } from '../../portal-static/build/documents/documentation.ts';
import { errorPage } from '../../portal-static/pages/sandbox/error-page-model.ts';
import { pauseSeconds, pollJob } from '../../portal-static/pages/sandbox/job-poll.ts';
import { historyText, type KeptHistory } from '../../portal-static/pages/sandbox/kept-history.ts';
import { service } from '../docs/documents.ts';

/** Calls beside the workbench's form: the page of an error, a job's status, what a tab keeps. */

const call = {
  title: 'GET Coverage',
  method: 'GET',
  url: 'https://h.example/Coverage',
  headers: {},
} as const;
const answered = (status: number, body: object, headers: readonly (readonly [string, string])[] = []) => ({
  call,
  answer: { status, headers, text: JSON.stringify(body), milliseconds: 1 },
});
const outcome = (status: number, diagnostics: string) =>
  answered(status, { resourceType: 'OperationOutcome', issue: [{ diagnostics }] });

describe('the page of an error', () => {
  const { html } = documentationPage('errors', service);
  const there = (address: string | undefined) => {
    const [path, anchor = ''] = (address ?? '').split('#');
    expect(path).toBe('/docs/errors');
    expect(html).toContain(`id="${anchor}"`);
    return anchor;
  };

  it('is the row of the refusal, on every FHIR host', () => {
    for (const { status, diagnostics } of Object.values(fhirRefusals)) {
      expect(there(errorPage(outcome(status, diagnostics)))).toMatch(/^(?:gateway-)?fhir-/);
    }
    expect(there(errorPage(outcome(404, fhirRefusals['not-found'].diagnostics)))).toBe('fhir-not-found');
  });

  it('is the gateway’s row for its own refusal, and a row of the status for another text', () => {
    for (const type of gatewayResponseTypes) {
      const { status = 400, description } = describeGatewayError(type, 'fhir');
      there(errorPage(outcome(status, description)));
    }
    const { description } = describeGatewayError('THROTTLED', 'fhir');
    expect(there(errorPage(outcome(429, description)))).toBe('gateway-fhir-THROTTLED');
    there(errorPage(outcome(400, 'The parameter birthdat is not supported.')));
    there(errorPage(outcome(418, 'Another text.')));
  });

  it('is the row of an OAuth error, and none of a success', () => {
    for (const error of Object.keys(tokenErrors)) {
      expect(there(errorPage(answered(400, { error })))).toBe(`token-${error}`);
    }
    there(errorPage(answered(403, { error: 'access_denied' })));
    expect(errorPage(answered(200, {}))).toBeUndefined();
    expect(errorPage({ call })).toBeUndefined();
  });
});

describe('the status of a job', () => {
  it('is asked until it is complete, after the seconds that each answer names', async () => {
    const answers = [
      answered(202, {}, [['retry-after', '3']]),
      answered(429, {}, [['retry-after', '120']]),
      answered(200, { output: [] }),
    ];
    const pauses: number[] = [];
    let turn = 0;
    const { exchange, requests } = await pollJob(
      call,
      (seconds) => Promise.resolve(void pauses.push(seconds)),
      () => Promise.resolve(answers[turn++] ?? { call }),
    );
    expect([exchange.answer?.status, requests, pauses]).toEqual([200, 3, [3, 10]]);
    expect(pauseSeconds(answered(202, {}, [['retry-after', 'Fri, 27 Nov 2026 20:00:00 GMT']]))).toBe(10);
  });

  it('is given up after many requests, and where there is no answer', async () => {
    const pause = () => Promise.resolve();
    const pending = await pollJob(call, pause, () => Promise.resolve(answered(202, {})));
    expect([pending.exchange.answer?.status, pending.requests]).toEqual([202, 40]);
    expect((await pollJob(call, pause, () => Promise.resolve({ call }))).requests).toBe(1);
  });
});

describe('what a tab keeps', () => {
  const token = {
    call: {
      title: 'Exchange the code for an access token',
      method: 'POST',
      url: 'https://h.example/token',
      headers: { authorization: 'Basic basic-secret' },
      body: { code: 'the-code', refresh_token: 'the-refresh-token' },
    },
    answer: { status: 200, headers: [], text: '{"access_token":"the-token"}', milliseconds: 1 },
  } as const;
  const history = { applicationId: 'app-1', lob: 'DSNP', lesson: 'plain' } as const;

  it('has no secret of a call or its response', () => {
    const text = historyText({ ...history, steps: [{ exchange: token, lesson: '' }] });
    expect(text).toContain('Exchange the code');
    expect(text).not.toMatch(/basic-secret|the-code|the-refresh-token|the-token/);
  });

  it('is the last thirty calls', () => {
    const steps = Array.from({ length: 40 }, (_, number) => ({ exchange: token, lesson: String(number) }));
    const kept = JSON.parse(historyText({ ...history, steps })) as KeptHistory;
    expect(kept.steps.map(({ lesson }) => lesson)).toEqual(steps.slice(10).map(({ lesson }) => lesson));
  });
});
