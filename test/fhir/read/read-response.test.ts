import { describe, expect, it } from 'vitest';
import { readResponse } from '../../../lambdas/fhir/read/read-response.ts';

const resource = { json: '{}', versionId: '1', lastUpdated: '2026-11-20T08:00:00Z' };

describe('the content of a document', () => {
  it('is a file to save and not a page to open, whatever its type', () => {
    const content = { contentType: 'text/html', body: '<script></script>', isBase64Encoded: false };
    const { headers } = readResponse({ kind: 'content', content, resource });
    expect(headers).toMatchObject({
      'Content-Type': 'text/html',
      'Content-Disposition': 'attachment',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, no-store',
    });
  });
});
