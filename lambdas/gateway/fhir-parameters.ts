import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { FhirRefusal } from '../catalog/fhir-refusals.ts';
import { searchBounds } from '../catalog/fhir-resources.ts';
import { bodyText, contentTypeOf, formParameters, type ParameterMap, queryParameters } from './parameters.ts';

/** The form a search's parameters come in by POST (R4, http.html#search). */
const formType = 'application/x-www-form-urlencoded';

export type FhirParameters =
  | {
      readonly kind: 'parameters';
      /** Decoded; those of the URL before those of the form, each name's in the order sent. */
      readonly parameters: readonly (readonly [name: string, value: string])[];
    }
  | {
      readonly kind: 'refusal';
      readonly refusal: Extract<FhirRefusal, 'unsupported-media-type' | 'form-too-long' | 'form-malformed'>;
    };

/** The parameters of a search or an operation: the URL's and, by POST, with them those of a form. */
export function fhirParameters(event: APIGatewayProxyEvent): FhirParameters {
  const parameters = pairs(queryParameters(event));
  const body = event.body ?? '';
  if (event.httpMethod !== 'POST' || body === '') return { kind: 'parameters', parameters };
  if (contentTypeOf(event) !== formType) return { kind: 'refusal', refusal: 'unsupported-media-type' };
  if (Buffer.byteLength(body, event.isBase64Encoded ? 'base64' : 'utf8') > searchBounds.formBytes) {
    return { kind: 'refusal', refusal: 'form-too-long' };
  }
  const text = bodyText(event);
  const form = text === undefined ? undefined : formParameters(text);
  if (form === undefined) return { kind: 'refusal', refusal: 'form-malformed' };
  return { kind: 'parameters', parameters: [...parameters, ...pairs(form)] };
}

function pairs(map: ParameterMap): (readonly [string, string])[] {
  return [...map].flatMap(([name, values]) => values.map((value) => [name, value] as const));
}
