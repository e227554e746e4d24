import { describe, expect, it } from 'vitest';
import { type ProblemCode, portalProblems } from '../../../lambdas/portal/catalog/problems.ts';
import { createPortalDialect, createProblemWriter } from '../../../lambdas/portal/http/problem-details.ts';

const problem = createProblemWriter('https://developer.example.org');
const codes = Object.keys(portalProblems) as ProblemCode[];

describe('problem+json', () => {
  it.each(codes)('says %s as the table of problems has it', (code) => {
    const { status, title, fix } = portalProblems[code];
    const answer = problem(code, 'request-1');
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    expect(JSON.parse(answer.body)).toEqual({
      type: `https://developer.example.org/docs/errors#${code}`,
      title,
      status,
      detail: fix,
      code,
      requestId: 'request-1',
    });
  });

  it('takes members of the occurrence, and says when to come again', () => {
    const answer = problem('too_many_codes', 'r', { retryAfter: 42, detail: 'Another sentence.' });
    expect(answer.headers).toMatchObject({ 'Retry-After': '42' });
    expect(JSON.parse(answer.body)).toMatchObject({ retryAfter: 42, detail: 'Another sentence.' });
  });

  it('has a constant answer for a defect and one for a store that does not answer', () => {
    const dialect = createPortalDialect(problem);
    expect(JSON.parse(dialect.defect('r').body)).toMatchObject({ status: 500, code: 'defect' });
    expect(dialect.unavailable('r').headers).toMatchObject({ 'Retry-After': '1' });
  });
});
