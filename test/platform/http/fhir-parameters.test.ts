import { describe, expect, it } from 'vitest';
import { fhirParameters } from '../../../lambdas/platform/http/fhir-parameters.ts';
import { gatewayEvent } from '../../fhir/gateway-event.ts';

const resource = '/extfhirpatientaccess/v1/Coverage/_search';
const form = 'application/x-www-form-urlencoded';
const posted = (body: string, contentType: string | undefined = form) => ({
  ...gatewayEvent({
    resource,
    method: 'POST',
    headers: contentType === '' ? {} : { 'Content-Type': contentType },
  }),
  body,
});
const list = (event: Parameters<typeof fhirParameters>[0]) => {
  const read = fhirParameters(event);
  return read.kind === 'parameters' ? read.parameters : read.refusal;
};

describe('the parameters of a search', () => {
  it('are those of the URL, each as often as it was sent', () => {
    const event = {
      ...gatewayEvent({ resource }),
      queryStringParameters: { _lastUpdated: 'lt2026-02-01', type: 'oral' },
      multiValueQueryStringParameters: { _lastUpdated: ['ge2026-01-01', 'lt2026-02-01'], type: ['oral'] },
    };
    expect(list(event)).toEqual([
      ['_lastUpdated', 'ge2026-01-01'],
      ['_lastUpdated', 'lt2026-02-01'],
      ['type', 'oral'],
    ]);
  });

  it('are the URL’s before the form’s by POST', () => {
    const event = {
      ...posted('_id=a%2Cb&type=http%3A%2F%2Fx%7Coral&_id=c'),
      multiValueQueryStringParameters: { _count: ['5'] },
    };
    expect(list(event)).toEqual([
      ['_count', '5'],
      ['_id', 'a,b'],
      ['_id', 'c'],
      ['type', 'http://x|oral'],
    ]);
  });

  it('of a GET are never its body’s', () => {
    expect(list({ ...posted('_id=a'), httpMethod: 'GET' })).toEqual([]);
  });

  it.each([
    'application/x-www-form-urlencoded; charset=UTF-8',
    'APPLICATION/X-WWW-FORM-URLENCODED',
  ])('come as %s', (type) => {
    expect(list(posted('_count=1', type))).toEqual([['_count', '1']]);
  });

  it('may be none', () => {
    expect(list(posted('', ''))).toEqual([]);
    expect(list(posted('', 'application/json'))).toEqual([]);
  });

  it.each([
    'application/json',
    'application/fhir+json',
    'multipart/form-data; boundary=x',
    'text/plain',
    '',
  ])('are not read from a body of type %j', (type) => {
    expect(list(posted('{"_id":"a"}', type))).toBe('unsupported-media-type');
  });

  it.each(['_id=%', '_id=%zz', '_id=%C3', 'a%=b'])('are none where the form is malformed: %j', (body) => {
    expect(list(posted(body))).toBe('form-malformed');
  });

  it('fit into 8192 bytes', () => {
    const longest = `_id=${'a'.repeat(8188)}`;
    expect(list(posted(longest))).toEqual([['_id', 'a'.repeat(8188)]]);
    expect(list(posted(`${longest}a`))).toBe('form-too-long');
    expect(list(posted(`_id=${'é'.repeat(4095)}`))).toBe('form-too-long');
  });

  it('are read from a body that API Gateway encoded', () => {
    const body = Buffer.from('_id=a').toString('base64');
    expect(list({ ...posted(body), isBase64Encoded: true })).toEqual([['_id', 'a']]);
    const notUtf8 = Buffer.from([0x5f, 0x3d, 0xff]).toString('base64');
    expect(list({ ...posted(notUtf8), isBase64Encoded: true })).toBe('form-malformed');
  });
});

describe('the parameters of an operation', () => {
  const resource = (parameter: readonly object[]) =>
    JSON.stringify({ resourceType: 'Parameters', parameter });
  const ofOperation = (body: string, type = 'application/fhir+json') => {
    const event = { ...posted(body, type), multiValueQueryStringParameters: { _type: ['Patient'] } };
    const read = fhirParameters(event, 'operation');
    return read.kind === 'parameters' ? read.parameters.slice(1) : read.refusal;
  };

  it.each([
    'application/fhir+json',
    'application/json',
    'application/fhir+json; charset=utf-8',
  ])('come in a Parameters resource as %s, beside the URL’s', (type) => {
    const body = resource([
      { name: 'start', valueDate: '2026-01-01' },
      { name: '_count', valueInteger: 10 },
      { name: '_type', valueCode: 'Coverage' },
      { name: '_type', valueCode: 'Patient' },
    ]);
    expect(ofOperation(body, type)).toEqual([
      ['start', '2026-01-01'],
      ['_count', '10'],
      ['_type', 'Coverage'],
      ['_type', 'Patient'],
    ]);
  });

  it('may be none, and may come in a form', () => {
    expect(ofOperation('{"resourceType":"Parameters"}')).toEqual([]);
    expect(ofOperation('')).toEqual([]);
    expect(ofOperation('_count=1', form)).toEqual([['_count', '1']]);
  });

  it.each([
    'not JSON',
    'null',
    '[]',
    '{"resourceType":"Bundle"}',
    '{"resourceType":"Parameters","resourceType":"Parameters"}',
    '{"resourceType":"Parameters","parameter":{"name":"_count","valueInteger":1}}',
    resource([{ valueInteger: 1 }]),
    resource([{ name: '_count' }]),
    resource([{ name: '_count', valueInteger: null }]),
    resource([{ name: '_count', valueInteger: 1, valueString: '1' }]),
    resource([{ name: '_count', part: [] }]),
    resource([{ name: '_count', valuePeriod: {} }]),
    resource([{ name: '_count', resource: { resourceType: 'Patient' } }]),
  ])('are none where the body is no such resource: %s', (body) => {
    expect(ofOperation(body)).toBe('parameters-malformed');
  });

  it('fit into 8192 bytes, in a media type that is known', () => {
    expect(ofOperation(resource([{ name: 'a', valueString: 'a'.repeat(8192) }]))).toBe('form-too-long');
    expect(ofOperation('{}', 'text/plain')).toBe('unsupported-media-type');
    expect(ofOperation('{}', 'constructor')).toBe('unsupported-media-type');
  });
});
